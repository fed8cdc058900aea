"""What texts from outside may ask for: games and agents by name, with bounded budgets, and no files."""

from dataclasses import asdict, dataclass

from facedown.agents import agent, agents
from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.game import Game
from facedown.games import load

LONGEST_TEXT = 300  # letters of a game's or an agent's text
LONGEST_NAME = 40


@dataclass(frozen=True)
class Caps:
    """The most that one move of a built-in agent may cost."""

    iterations: int = 200_000
    seconds: float = 10.0
    threads: int = 1
    worlds: int = 10_000

    def check(self, player: Agent) -> None:
        """Refuse an agent that asks for more."""
        asked = {name: option.value for name, option in player.options.items() if isinstance(option.value, int | float)}
        if "trees" in asked and "simulations" in asked:
            asked["simulations"] *= asked["trees"]  # so many are made in each tree
        most = {**asdict(self), "simulations": self.iterations, "endgame_worlds": self.worlds}
        for name, value in asked.items():
            if value > most.get(name, value):
                raise BadOption(f"option {name}: expected at most {most[name]:g} on this server, got {value:g}")


def checked_game(text: str) -> Game:
    """A game by a text from outside."""
    return load(short(text), trusted=False).with_options()


def checked_agent(text: str, game: Game, caps: Caps) -> str:
    """The full text of an agent that may sit at a table; it can play the game, and sees only what its seat sees."""
    player = agent(short(text), trusted=False)
    if player.sees_all:
        raise BadOption(f"expected an agent that sees what its seat sees, got {player.name}, which sees all cards")
    if player.plays and game.name not in player.plays:
        raise BadOption(
            f"expected an agent that plays {game.name}, got {player.name}, which plays {', '.join(player.plays)}"
        )
    game.rules.require(player.name, *player.asks)
    caps.check(player)
    return player.text


def short(text: str) -> str:
    """A text of bounded length."""
    if len(text) > LONGEST_TEXT:
        raise BadOption(f"expected at most {LONGEST_TEXT} letters, got {len(text)}")
    return text


def checked_name(name: str) -> str:
    """The name of a person or a bot: one line, and no agent's name, since records tell players by their names."""
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise BadOption(f"expected a name of 1 to {LONGEST_NAME} letters, got {name[:60]!r}")
    if set(plain) & set(":/\\"):
        raise BadOption(f"expected a name without a colon or a slash, got {plain!r}")
    if plain[0] in "=+-@":  # which a spreadsheet would take for a formula, in a table of games
        raise BadOption(f"expected a name that begins with none of = + - @, got {plain!r}")
    if plain in (*agents(), "human"):
        raise BadOption(f"expected a name that no agent has, got {plain!r}")
    return plain


def checked_title(title: str) -> str:
    """The name of a table or a competition: one line, or nothing."""
    plain = " ".join(title.split())
    if not plain.isprintable():
        raise BadOption(f"expected a name on one line, got {title[:60]!r}")
    return plain
