"""The command line as `python -m facedown`."""

from facedown.cli import main

main()
