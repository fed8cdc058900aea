"""What trick games share: the play of a trick, its facts, and positions as text."""
