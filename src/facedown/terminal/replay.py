"""A recorded game at the terminal: printed in lines, or stepped through on a screen, forward and back."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.text import Text

from facedown.agents import agent
from facedown.analysis.reasons import PLAIN, expected, in_short, share_of
from facedown.analysis.value import Measure, measure_of
from facedown.arena.replay import Move, Replay, choice_of, same_agent
from facedown.errors import BadText, FacedownError
from facedown.game import Game
from facedown.games.speech import seat_name
from facedown.search.decision import Decision
from facedown.state import State
from facedown.table.outcome import winners_of
from facedown.table.zones import own_hand
from facedown.terminal.audience import Lines, PlayerQuit, waiting
from facedown.terminal.decisions import decision_table
from facedown.terminal.drawing import HAND_IN_WORDS, Fitted, Scene, middle
from facedown.terminal.hand import Hand
from facedown.terminal.reporter import Reporter, VisibleState, text_in_words
from facedown.terminal.results import result_table, verdict
from facedown.terminal.screen import Screen
from facedown.terminal.tricks import Trick, has_trick, laid_cards
from facedown.terminal.words import WIDTH, card, suits_line

RUNNERS_UP = 3  # that a line about a decision names beside the best

HELP = """\
 Enter, n   the next action
 b          back by one
 12         to the position after action 12; 0 is the deal
 t 5        to the first card of trick 5 of this deal
 s, e       to the start, to the end
 w          why: what the search thought about the action just played
 q          leaves, as do Ctrl-C and Ctrl-D"""


class Recorded(NamedTuple):
    """Who played, in words."""

    name: str
    text: str


def players_of(replay: Replay) -> list[Recorded]:
    """Who played, seat by seat."""
    return [Recorded(*pair) for pair in zip(replay.names, replay.record.agents, strict=True)]


# --- Lines ------------------------------------------------------------------------------------------------------------


class ActionReporter(Reporter):
    """Gives every action a line of its own, and each finished trick one more."""

    def __init__(self, signs: bool, print_line: Callable[[Text], None], line: Callable[[VisibleState], Text]) -> None:
        super().__init__(None, signs, print_line)
        self.line = line

    def report(self, before: VisibleState, after: VisibleState) -> Trick | None:
        """See Reporter."""
        self.print_line(self.line(after))
        return super().report(before, after)

    def flush(self, but: int | None = None) -> None:
        """Nothing is kept back."""
        self._seat, self._words = None, []


def print_game(replay: Replay, console: Console, seat: int | None) -> None:
    """Print a whole game: hands, actions with their reasons, tricks, the result."""
    lines = Lines(console, console, seat, None)
    lines.meet(players_of(replay))
    lines.reporter = ActionReporter(
        console.is_terminal, lines.print, lambda visible: action_line(replay, visible, seat, console)
    )
    before = lines.look(replay.states[0])
    lines.dealt(before)
    for state in replay.states[1:]:
        after = lines.look(state)
        lines.acted(before, after)
        before = after
    if ending := replay.ending(seat):
        lines.print(Text(ending))
    last, record = replay.states[-1], replay.record
    if last.over or record.forfeit:
        console.print(result_table(replay.game, record.agents, record.scores, None, last.outcome))


def action_line(replay: Replay, visible: VisibleState, seat: int | None, console: Console) -> Text:
    """An action with its number, who took it, and why; `seat` is whose eyes it is seen with."""
    mover, word = visible.last_action
    move = replay.moves[len(visible.position.history) - 1]
    show = card if console.is_terminal else Text
    width = max(len(name) for name in replay.names)
    before = replay.states[move.number - 1]
    words = text_in_words(replay.game, before.facts if seat is None else before.view(seat).facts, word)
    line = Text.assemble(f"{move.number:4}  seat {mover} {replay.names[mover]:{width}}  ", show(words))
    if move.decision and seat in (None, mover):
        line.append(f"  {reasons(move.decision, units(replay, move))}", "dim")
    return line


def reasons(decision: Decision, measure: Measure) -> str:
    """A decision in one line, with the next best."""
    others = decision.candidates[1 : 1 + RUNNERS_UP]
    rest = ", ".join(f"{one.text} {share_of(one, decision):.0%} {expected(one, measure)}" for one in others)
    return in_short(decision, measure) + (f"; then {rest}" if rest else "")


def units(replay: Replay, move: Move, decision: Decision | None = None) -> Measure:
    """How to read the figures of a decision."""
    decision = decision or move.decision
    solved = bool(decision and decision.solved)
    return units_of(replay.game, replay.record.agents[move.seat], replay.record.trusted, solved)


@lru_cache(maxsize=64)
def units_of(game: Game, text: str, trusted: bool, solved: bool) -> Measure:
    """How to read the figures of an agent; as they are, where it cannot be made here."""
    try:
        return measure_of(agent(text, trusted=trusted), game, solved)
    except Exception:  # an agent of somebody's own may raise anything
        return PLAIN


# --- A screen ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Frame:
    """What is on the screen at one step."""

    number: int  # actions so far
    state: State
    last: Trick | None
    lies_there: bool  # the last trick has not been taken up yet
    deal: int  # of a match
    trick: int  # begun so far in this deal
    hands: bool = True  # whether they are the hands of this very moment
    dealt: bool = False  # nothing has been played in this deal


def frames_of(replay: Replay, seat: int | None) -> list[Frame]:
    """A frame for each action; where a new deal follows, one for the end of the old deal and one for the new."""
    look = Lines(Console(quiet=True), Console(quiet=True), seat, None).look
    reporter = Reporter(None, True, lambda line: None)
    deal = trick = 0
    before = look(replay.states[0])
    frames = [Frame(0, replay.states[0], None, False, deal, trick, dealt=True)]
    for number, state in enumerate(replay.states[1:], 1):
        after = look(state)
        finished = reporter.report(before, after)
        led = has_trick(before.table) and not laid_cards(before.table) and (finished or laid_cards(after.table))
        trick += bool(led)
        redealt = after.is_next_deal_after(before)
        if redealt:
            frames.append(Frame(number, replay.states[number - 1], reporter.last, bool(finished), deal, trick, hands=False))
            reporter.next_deal()
            deal, trick, finished = deal + 1, 0, None
        frames.append(Frame(number, state, reporter.last, bool(finished), deal, trick, dealt=redealt))
        before = after
    return frames


class Stepper:
    """A person who goes through a game."""

    def __init__(self, replay: Replay, screen: Screen, seat: int | None) -> None:
        """Shown is what `seat` saw, or everything for None."""
        self.replay = replay
        self.screen = screen
        self.seat = seat
        self.frames = frames_of(replay, seat)
        self.place = 0
        self._thoughts: dict[int, Decision | None] = {}
        self._commands: dict[str, Callable[[], RenderableType | None]] = {
            **dict.fromkeys(("", "n", "next"), lambda: self._go(self.place + 1)),
            **dict.fromkeys(("b", "back", "p"), lambda: self._go(self.place - 1)),
            **dict.fromkeys(("s", "start"), lambda: self._go(0)),
            **dict.fromkeys(("e", "end"), lambda: self._go(len(self.frames) - 1)),
            **dict.fromkeys(("w", "why"), self._why),
            **dict.fromkeys(("?", "h", "help"), lambda: Text(HELP)),
            **dict.fromkeys(("q", "quit", "exit"), self._leave),
        }

    def run(self, title: str) -> None:
        """Show the game until the person leaves."""
        with self.screen.stage(title):
            page = note = None
            while True:
                if page is None:
                    self._draw(note)
                else:
                    self.screen.page(page)
                line = self.screen.ask(self._prompt() if page is None else " Enter goes back to the table: ") or ""
                page, note, was_page = None, None, page is not None
                if was_page and not line:
                    continue
                try:
                    page = self._answer(line)
                except FacedownError as error:
                    note = Text(f" {error}", "red")

    def _answer(self, line: str) -> RenderableType | None:
        """Do what a line asks for; a page to show in place of the table, if there is one."""
        words = line.lower().split()
        if " ".join(words) in self._commands:
            return self._commands[" ".join(words)]()
        if len(words) == 1 and words[0].isdecimal():
            self._go_where(lambda frame: frame.number == int(words[0]), f"action {words[0]}")
        elif words[0] in ("t", "trick") and len(words) == 2 and words[1].isdecimal():
            place = self.frames[self.place].deal, int(words[1])
            self._go_where(lambda frame: (frame.deal, frame.trick) == place, f"trick {words[1]}")
        else:
            raise BadText(f"expected Enter, b, a number, t and a number, s, e, w, q or ?, got {line!r}")
        return None

    def _go(self, place: int) -> None:
        self.place = min(max(place, 0), len(self.frames) - 1)

    def _go_where(self, wanted: Callable[[Frame], bool], what: str) -> None:
        places = [place for place, frame in enumerate(self.frames) if wanted(frame)]
        if not places:
            raise BadText(f"expected one of the {self.frames[-1].number} actions, or a trick of this deal, got {what}")
        self.place = places[0]

    def _leave(self) -> None:
        raise PlayerQuit

    # What is shown.

    def _prompt(self) -> str:
        at = f" {self.frames[self.place].number} of {self.frames[-1].number}"
        return f"{at} (Enter next, b back, w why, ? help, q quit): "

    def _draw(self, note: Text | None) -> None:
        frame = self.frames[self.place]
        with self.screen.console as console:
            lines = [self.story(frame), note] if note else [self.story(frame)]
            below = sum(len(line.wrap(console, min(WIDTH, console.width))) for line in lines)
            console.clear()
            console.print(Fitted(lambda step: self.table(frame, step), console.height - below - 1))
            for line in lines:
                console.print(line, width=min(WIDTH, console.width))

    def table(self, frame: Frame, step: int = 0) -> RenderableType:
        """The table with all hands below it, or with the hand of the seat that looks."""
        view = frame.state.view(self.seat or 0)
        seen = frame.state.table if self.seat is None else view.table
        scene = Scene(view, self.replay.names, frame.last, frame.lies_there, for_seat=False, open_table=seen)
        rows = middle(scene, seen, step)
        if self.seat is not None:
            hand = own_hand(seen) if frame.hands else []
            return Group(*rows, *([Hand(hand, None, compact=step >= HAND_IN_WORDS)] if hand else []))
        hands = frame.state.hands if frame.hands and frame.state.game.has_hands else []
        if any(hands):
            width = max(len(name) for name in self.replay.names)
            for seat, hand in enumerate(hands):
                rows.append(Text(f" seat {seat} {self.replay.names[seat]:{width}}  ").append_text(suits_line(hand)))
        return Group(*rows)

    def story(self, frame: Frame) -> Text:
        """What has just happened, in a line or two."""
        if frame.dealt:
            deal = f"deal {frame.deal + 1}" if self.frames[-1].deal else "the deal"
            seed = f", seed {self.replay.record.seed}" if self.seat is None else ""  # it would give all hands away to a seat
            return Text(f" {self.replay.record.game}{seed}: {deal}", "bold")
        move = self.replay.moves[frame.number - 1]
        line = Text.assemble(f" seat {move.seat} {self.replay.names[move.seat]}: ", self._word(move), style="bold")
        if move.decision and self.seat in (None, move.seat):
            line.append(f"  {in_short(move.decision, units(self.replay, move))}", "not bold dim")
        if frame is self.frames[-1]:
            line.append_text(self._ending())
        return line

    def _word(self, move: Move) -> Text:
        """An action as it may be seen."""
        state = self.replay.states[move.number]
        history = state.history if self.seat is None else state.view(self.seat).history
        word = self.replay.game.text(history[-1][1])
        before = self.replay.states[move.number - 1]
        facts = before.facts if self.seat is None else before.view(self.seat).facts
        return card(text_in_words(self.replay.game, facts, word))

    def _ending(self) -> Text:
        scores = " ".join(f"{score:g}" for score in self.replay.record.scores)
        best = verdict(winners_of(self.replay.record.scores, self.replay.game.lower_is_better), None)
        outcome = self.replay.states[-1].outcome
        ending = self.replay.ending(self.seat) or (f"the end: {outcome.cause}" if outcome else "")
        words = f"{ending}; scores {scores}, {best}" if outcome or self.replay.record.forfeit else ending
        return Text(f"\n {words}", "yellow")

    # Reasons.

    def _why(self) -> RenderableType:
        frame = self.frames[self.place]
        if frame.dealt:
            raise BadText("expected an action to explain, got the deal: Enter continues")
        move = self.replay.moves[frame.number - 1]
        if self.seat not in (None, move.seat):
            raise BadText(
                f"expected an action of seat {self.seat}, got one of seat {move.seat}, whose reasons it cannot know"
            )
        decision = self._thought(move)
        if decision is None:
            raise BadText(f"expected an agent that explains itself, got {self.replay.record.agents[move.seat]}")
        title = Text.assemble(f" action {move.number}: {seat_name(move.seat)} played ", card(move.text))
        return Group(title, decision_table(decision, units(self.replay, move, decision), move.action, "played"))

    def _thought(self, move: Move) -> Decision | None:
        """The decision as recorded, or as the same search finds it again."""
        if move.decision:
            return move.decision
        if move.number not in self._thoughts:
            player = same_agent(self.replay.record, move.seat)
            if isinstance(player, str):
                raise BadText(f"no decision was recorded, and the agent cannot be asked again: {player}")
            with waiting(self.screen.console, f"{player.text} thinks again"):
                choice_of(player, move.state)
            self._thoughts[move.number] = player.decision
        return self._thoughts[move.number]
