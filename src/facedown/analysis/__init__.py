"""What searches think of finished games and of positions: costs, grades, luck, trees; for terminal and server alike."""
