"""Advice for games played elsewhere: the whole of a game is sent each time, and nothing of it is kept for anybody."""

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field

from facedown.server.asking import check_admin, hall
from facedown.server.caps import checked_agent
from facedown.server.messages import Data
from facedown.server.told import AdviceQuestion, answered, told_game
from facedown.server.wire import SeatNumber, Text, ViewFacts
from facedown.server.wire_analysis import BeliefsFacts, HintFacts, ToldGame


class AdviceWish(ToldGame):
    """A game as one seat saw it, and who advises: by default the game's best player, for some seconds."""

    game: Text
    seat: SeatNumber = 0
    seconds: Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)] = 1.0
    agent: Text | None = None
    inference: Literal["none", "policy"] = "none"


class ExpectsFacts(BaseModel):
    """What has to be told next: an action of a seat, cards, a fact that all see, or nothing more."""

    kind: Literal["hand", "cards", "fact", "seat", "action", "over"]
    words: str
    seat: int | None
    count: int
    name: str | None
    values: list[Any]


class AdviceFacts(BaseModel):
    """What the seat sees, what has to be told next, and what to do where it is the seat's turn."""

    view: ViewFacts | None
    expects: ExpectsFacts
    start: dict[str, list[Any]]
    to_move: int | None
    legal: list[str]
    possible: list[str]
    cards: list[str]
    played: list[tuple[int, str]]
    advice: HintFacts | None
    beliefs: BeliefsFacts | None
    worlds: str | None


def add_advice(app: FastAPI) -> None:
    """Advice for a game that is played elsewhere."""

    @app.post("/api/advice", response_model=AdviceFacts)
    async def advice(request: Request, wish: AdviceWish) -> Data:
        """What to do in a game played elsewhere, of which the hand and all that was seen since are told."""
        check_admin(request)
        here = hall(request)
        game = await here.game(wish.game)
        agent = None if wish.agent is None else checked_agent(wish.agent, game, here.caps)
        told: Data = await answered(
            here, AdviceQuestion(told_game(wish, game.full_path), wish.seconds, agent, wish.inference == "policy")
        )
        return told
