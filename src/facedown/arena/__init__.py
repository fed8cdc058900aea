"""Games between agents: one match, many, and what they say."""
