"""Search: a tree, the choices made in it, and the loop that grows it."""
