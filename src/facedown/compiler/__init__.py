"""What surrounds the compiler: its errors, its files, its memory, and whether it is running."""
