"""Hidden cards: what a seat knows of them, and the worlds that this allows."""
