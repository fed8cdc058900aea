"""What a player's actions reveal about its cards."""
