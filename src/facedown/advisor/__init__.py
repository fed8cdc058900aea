"""Advice for a game that is played elsewhere: somebody tells what one seat sees, and has the view of that seat."""

from facedown.advisor.session import Expectation, Session
from facedown.errors import ImpossibleEntry

__all__ = ["Expectation", "ImpossibleEntry", "Session"]
