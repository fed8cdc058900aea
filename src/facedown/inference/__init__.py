"""What a player's actions say about its cards."""
