"""Advice for a game that is played elsewhere: somebody tells what one seat sees, and has the view of that seat."""

from facedown.advisor.events import start_choices
from facedown.advisor.packs import cards_to_name
from facedown.advisor.session import Expectation, Session
from facedown.advisor.worlds import possible_actions
from facedown.errors import ImpossibleEntry

__all__ = ["Expectation", "ImpossibleEntry", "Session", "cards_to_name", "possible_actions", "start_choices"]
