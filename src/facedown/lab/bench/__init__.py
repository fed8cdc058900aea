"""How fast and how strong facedown is."""
