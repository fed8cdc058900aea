"""A small game as the text of a file, and the mistakes that its author might make."""

SOURCE = '''"""Tiny duel: two seats with three cards each of eight; the higher card of each pair scores."""

import numpy as np

import facedown as fd
from facedown.cards import NO_CARD, NO_CARDS, bit, write_cards
from facedown.kernel import count_ones
from facedown.rng import shuffle

SEATS, CARDS = 2, 8
PACK = np.uint64(255)
STATE = np.dtype(
    [
        ("hands", np.uint64, 2),
        ("rest", np.uint64),
        ("played", np.uint64, 2),
        ("laid", np.int8),
        ("turn", np.int8),
        ("score", np.int8, 2),
    ]
)


@fd.kernel
def deal(state, rng):
    pack = np.arange(CARDS)
    shuffle(rng, pack, 0, CARDS)
    state.rest = PACK
    for seat in range(SEATS):
        state.hands[seat] = state.played[seat] = NO_CARDS
        state.score[seat] = 0
        for place in range(3 * seat, 3 * seat + 3):
            state.hands[seat] |= bit(pack[place])
        state.rest &= ~state.hands[seat]
    state.laid = NO_CARD
    state.turn = 0


@fd.kernel
def to_move(state):
    return state.turn % 2


@fd.kernel
def legal(state, actions):
    return write_cards(state.hands[to_move(state)], actions)


@fd.kernel
def apply(state, action):
    seat = to_move(state)
    state.hands[seat] &= ~bit(action)
    state.played[seat] |= bit(action)
    if seat == 1:
        state.score[int(action > state.laid)] += 1
    state.laid = action
    state.turn += 1


@fd.kernel
def is_over(state):
    return state.turn == 6


@fd.kernel
def scores(state, out):
    for seat in range(SEATS):
        out[seat] = state.score[seat]


@fd.kernel
def reward(state, kind, out):
    for seat in range(SEATS):
        out[seat] = state.score[seat] / 3


@fd.kernel
def moves_left(state):
    return 6 - state.turn


@fd.kernel
def hide(state, seat):
    state.rest = NO_CARDS
    state.hands[1 - seat] = NO_CARDS


@fd.kernel
def unseen(state, seat, hidden):
    hidden.holders = 3
    hidden.pool = PACK & ~state.hands[seat]
    hidden.unseen = hidden.pool & ~(state.played[0] | state.played[1])
    hidden.may_hold[1 - seat] = hidden.may_hold[2] = hidden.unseen
    hidden.room[1 - seat] = 3 - count_ones(state.played[1 - seat])
    hidden.room[2] = 2


@fd.kernel
def place(state, seat, hidden, rng):
    state.rest = hidden.held[2]
    state.hands[1 - seat] = hidden.held[1 - seat]


ANSWERS = [deal, to_move, legal, apply, is_over, scores, reward, moves_left, hide, unseen, place]
RULES = fd.register("tiny-duel", STATE, ANSWERS)
GAME = fd.Game("tiny-duel", RULES, seats=SEATS, actions=CARDS)
'''

OVER = "return state.turn == 6"
LEGAL = "return write_cards(state.hands[to_move(state)], actions)"
MADE = "seats=SEATS, actions=CARDS)"
HANDS = '("hands", np.uint64, 2)'

# Each mistake: what stands there, what the author writes in its place, and a part of the message. In it, {file} is the file,
# {at} the line of the mistake, and {legal} the line where that answer begins, and so on.
Mistakes = dict[str, tuple[str, str, str]]

WHOLE = "expected the field 'hands' to be a mask of cards for each seat, np.uint64 and 2 of them, got np."
SEATS = "the game 'tiny-duel': expected a number of seats from 1 to 7, got "
ACTIONS = "the game 'tiny-duel': expected a number of actions from 1 to 1048576, got "

AT_LOADING: Mistakes = {  # told by fd.load
    "a plain answer": (
        "@fd.kernel\ndef legal",
        "def legal",
        "legal in {file}, line {at}: expected a kernel, got a plain function: put @fd.kernel above it",
    ),
    "too few arguments": (
        "def legal(state, actions)",
        "def legal(state)",
        "legal in {file}, line {legal}: expected legal(state, actions), got legal(state)",
    ),
    "too many arguments": (
        "def to_move(state)",
        "def to_move(state, seat)",
        "to_move in {file}, line {to_move}: expected to_move(state), got to_move(state, seat)",
    ),
    "int64 hands": (HANDS, '("hands", np.int64, 2)', WHOLE + "int64 and 2 of them ({file}, line {game})"),
    "a hand too few": (HANDS, '("hands", np.uint64, 1)', WHOLE + "uint64 and 1 of them ({file}, line {game})"),
    "one hand": (HANDS, '("hands", np.uint64)', WHOLE + "uint64 ({file}, line {game})"),
    "text in the record": (
        HANDS,
        HANDS + ', ("name", "U8")',
        "the game 'tiny-duel': expected numbers in the field 'name', got <U8 ({file}, line {register})",
    ),
    "no record": (
        '"tiny-duel", STATE',
        '"tiny-duel", {}',
        "expected a record type such as np.dtype([('hands', np.uint64, 4)]), got {{}} ({file}, line {register})",
    ),
    "an answer twice": (
        "ANSWERS = [deal,",
        "ANSWERS = [deal, deal,",
        "the game 'tiny-duel': expected one answer to 'deal', got two: deal in {file}, line {deal}",
    ),
    "no function": (
        "ANSWERS = [deal,",
        "ANSWERS = [deal, 5,",
        "the game 'tiny-duel': expected functions as answers, got 5 ({file}, line {register})",
    ),
    "a syntax error": (OVER, "return state.turn == = 6", "to load, got SyntaxError: invalid syntax ({file}, line {at})"),
    "a name that is missing": (
        "SEATS, CARDS = 2, 8",
        "SEATS, CARDS = 2, EIGHT",
        "to load, got NameError: name 'EIGHT' is not defined ({file}, line {at})",
    ),
    "too many seats": (MADE, "seats=8, actions=CARDS)", SEATS + "8 ({file}, line {at})"),
    "no seats": (MADE, "seats=0, actions=CARDS)", SEATS + "0 ({file}, line {at})"),
    "half a seat": (MADE, "seats=1.5, actions=CARDS)", SEATS + "1.5 ({file}, line {at})"),
    "no actions": (MADE, "seats=2, actions=0)", ACTIONS + "0 ({file}, line {at})"),
    "endless actions": (MADE, "seats=2, actions=10**9)", ACTIONS + "1000000000 ({file}, line {at})"),
    "words that are no function": (
        MADE,
        "seats=2, actions=8, text=('a', 'b'))",
        "the game 'tiny-duel': expected a function as 'text', got ('a', 'b') ({file}, line {at})",
    ),
    "rules that are none": ('duel", RULES', 'duel", STATE', "'tiny-duel': expected rules made by fd.register, got dtype("),
    "an unknown reward": (
        MADE,
        "seats=2, actions=8, rewards=('money',))",
        "unknown reward of tiny-duel 'money'; known: hybrid, match, points, pwl, sd, wl",
    ),
    "options that fail": (
        MADE,
        "seats=2, actions=8, bind=lambda game: 1 / 0)",
        "expected the game's `bind` to answer, got ZeroDivisionError: division by zero ({file}, line {at})",
    ),
}

HELPER = "expected arguments that facedown's write_cards takes, got write_cards("

AT_COMPILING: Mistakes = {  # told by the first deal, or the first view
    "a plain helper": (
        OVER,
        "return double(state.turn) == 12\n\n\ndef double(number):\n    return 2 * number",
        "is_over in {file}, line {at}: expected double to be a kernel too, got a plain function: put @fd.kernel above it",
    ),
    "too many arguments for a helper": (
        "to_move(state)]",
        "to_move(state, 1)]",
        "legal in {file}, line {at}: expected the arguments of to_move(state), got others: too many positional arguments",
    ),
    "a field that is not there": (
        OVER,
        "return state.trun == 6",
        "is_over in {file}, line {at}: expected a field of `state` (hands, rest, played, laid, turn, score), got 'trun'",
    ),
    "a field that cannot be written": (
        "state.laid = NO_CARD",
        "state.lain = NO_CARD",
        "deal in {file}, line {at}: expected a field of `state` (hands, rest, played, laid, turn, score), got 'lain'",
    ),
    "a field of another record": (
        "hidden.holders = 3",
        "hidden.holder = 3",
        "unseen in {file}, line {at}: expected a field of `hidden` (holders, pool, unseen, may_hold, known, room, worth, ",
    ),
    "an undefined name": (
        OVER,
        "return state.turn == LAST",
        "is_over in {file}, line {at}: expected a name that is defined, got 'LAST'",
    ),
    "nothing returned": (
        LEGAL,
        LEGAL.removeprefix("return "),
        "legal in {file}, line {legal}: expected a whole number to be returned in every case, got none",
    ),
    "nothing returned at times": (
        LEGAL,
        f"if state.turn < 6:\n        {LEGAL}",
        "legal in {file}, line {legal}: expected a whole number to be returned in every case, got int64 or none",
    ),
    "a float returned": (
        LEGAL,
        f"{LEGAL} / 1.0",
        "legal in {file}, line {legal}: expected a whole number to be returned in every case, got float64",
    ),
    "a text returned": (
        OVER,
        "return 'no'",
        "is_over in {file}, line {is_over}: expected true or false to be returned, got str",
    ),
    "a generator": (
        OVER,
        "yield state.turn == 6",
        "is_over in {file}, line {is_over}: expected true or false to be returned, got a generator",
    ),
    "a result that should be written": (
        "    state.rest = NO_CARDS\n",
        "    if seat > 5:\n        return state.rest\n    state.rest = NO_CARDS\n",
        "hide in {file}, line {hide}: expected nothing to be returned: results are written into the arguments, got uint64 ",
    ),
    "a mask and a float": (
        "state.hands[to_move(state)],",
        "state.hands[0] & 1.5,",
        "legal in {file}, line {at}: expected types that & takes, got (uint64, float64)",
    ),
    "a float as an index": (
        "state.hands[to_move(state)],",
        "state.hands[state.turn / 1],",
        "legal in {file}, line {at}: expected an index and a value that fit, got (uint64 array, float64)",
    ),
    "all hands for one": (
        "state.hands[to_move(state)],",
        "state.hands,",
        "legal in {file}, line {at}: " + HELPER + "uint64 array, int64 array)",
    ),
    "arguments exchanged": (
        LEGAL,
        "return write_cards(actions, state.hands[0])",
        "legal in {file}, line {at}: " + HELPER + "int64 array, uint64)",
    ),
    "a global dict": (
        OVER,
        "return state.turn == ENDS['last']\n\n\nENDS = {'last': 6}",
        "is_over in {file}, line {at}: expected numbers, arrays and kernels in a kernel, got ENDS, which is a dict",
    ),
    "an f-string": (
        OVER,
        f"print(f'{{state.turn:>3}}')\n    {OVER}",
        "is_over in {file}, line {at}: expected what Numba can compile, got: format spec in f-strings not supported yet",
    ),
    "an import": (
        OVER,
        "import math\n    return math.floor(state.turn) == 6",
        "is_over in {file}, line {at}: expected what Numba can compile, got: Use of unsupported opcode (IMPORT_NAME) found",
    ),
    "an exception": (
        OVER,
        f"try:\n        {OVER}\n    except ValueError:\n        return False",
        "expected what Numba can compile, got: Exception matching is limited to <class 'Exception'>",
    ),
    "two types": (
        OVER,
        f"last = 6\n    if state.turn == 2:\n        last = state.hands\n    {OVER.replace('6', 'last')}",
        "expected last to keep one type, got int and uint64 array",
    ),
    "an involved expression": (
        OVER,
        "return (turn := state.turn) == 6",
        "is_over in {file}, line {at}: expected an expression whose type Numba can tell, got one too involved",
    ),
    "a method that is not there": (
        OVER,
        "return state.score.total() == 3",
        "is_over in {file}, line {at}: expected an attribute of int8 array, got 'total'",
    ),
    "a name that NumPy has not": (
        OVER,
        "return np.no_such(state.turn) == 6",
        "is_over in {file}, line {at}: expected a name that numpy has, got 'no_such'",
    ),
}

AT_PLAY: Mistakes = {  # told by a deal, and by the audit
    "no legal action": (
        LEGAL,
        "return 0",
        "legal in {file}, line {legal}: expected at least one action until `is_over` says that the deal has ended, got none",
    ),
    "over at once": (
        OVER,
        "return True",
        "is_over in {file}, line {is_over}: expected a deal in which somebody may act, got one that is over as soon as",
    ),
    "too few actions declared": (
        MADE,
        "seats=2, actions=2)",
        "legal in {file}, line {legal}: expected at most 2 actions, as the game declares, got 3 (after 0 actions of ",
    ),
    "a strange action": (
        LEGAL,
        "actions[0] = 8\n    return 1",
        "legal in {file}, line {legal}: expected actions from 0 to 7, as the game declares, got 8 (after 0 actions of ",
    ),
    "a strange seat": (
        "return state.turn % 2",
        "return -1 - state.turn % 2",
        "to_move in {file}, line {to_move}: expected a seat from 0 to 1, got -1 (after 0 actions of tiny-duel)",
    ),
}

REWARD = "reward in {file}, line {reward}: expected a reward from 0 to 1 for each seat, got "

AT_TRIAL: Mistakes = {  # told by the audit
    "rewards of 100": ("score[seat] / 3", "score[seat] * 100", REWARD),
    "no reward for one": ("out[seat] = state.score[seat] / 3", "out[0] = 0.5", REWARD + "none for seat 1, 'points'"),
    "moves_left too small": (
        "return 6 - state.turn",
        "return 4",
        "moves_left in {file}, line {moves_left}: expected at least 6, as many as were played, got 4",
    ),
    "no more moves_left": (
        "return 6 - state.turn",
        "return 0",
        "moves_left in {file}, line {moves_left}: expected a number from 1 to ",
    ),
    "an action twice": (
        LEGAL,
        f"count = {LEGAL.removeprefix('return ')}\n    actions[count] = actions[0]\n    return count + 1",
        "legal in {file}, line {legal}: expected each action once, the lowest first, got ",
    ),
    "legal by the other's cards": (
        LEGAL,
        "return write_cards(state.hands[to_move(state)], actions) - int(state.hands[0] > state.hands[1])",
        "legal in {file}, line {legal}: expected the same actions in the view of the seat to act",
    ),
    "too many holders": (
        "hidden.holders = 3",
        "hidden.holders = 8",
        "unseen in {file}, line {unseen}: expected a number of holders from 1 to 7, got 8 (after 0 actions of tiny-duel)",
    ),
    "room below 0": ("hidden.room[2] = 2", "hidden.room[2] = -2", "expected room for 0 cards or more, got -2 for holder 2"),
    "room for none": ("hidden.room[2] = 2", "hidden.room[2] = 70", "expected a position with at least one possible world"),
    "a holder past the array": (
        "hidden.room[2] = 2",
        "hidden.room[9] = 2",
        "IndexError: index 9 is out of bounds for axis 0 with size 8 (unseen in {file}, line {at})",
    ),
    "an index past the array": (
        "state.score[int(action > state.laid)] += 1",
        "state.score[2 + action] += 1",
        " is out of bounds for axis 0 with size 2 (apply in {file}, line {at})",
    ),
    "a number too large": (
        "state.laid = action",
        "state.laid = 1000",
        "OverflowError: Python integer 1000 out of bounds for int8 (apply in {file}, line {at})",
    ),
    "scores that are none": (
        "out[seat] = state.score[seat]\n",
        "out[seat] = np.inf\n",
        "scores in {file}, line {scores}: expected a number for each seat, got [inf, inf]",
    ),
    "words that fail": (
        MADE,
        "seats=2, actions=8, text=lambda action: 'a'[action + 1])",
        "expected the game's `text` to answer, got IndexError: string index out of range ({file}, line {at})",
    ),
    "words that are numbers": (MADE, "seats=2, actions=8, text=lambda action: action)", "expected the text of action "),
    "facts that fail": (
        MADE,
        "seats=2, actions=8, facts=lambda state, seat: state.colour)",
        "expected the game's `facts` to answer, got AttributeError: ",
    ),
    "facts that are none": (MADE, "seats=2, actions=8, facts=lambda state, seat: None)", "as a dict, got None"),
}


def mistaken(mistake: tuple[str, str, str], file: object) -> tuple[str, str]:
    """The source with a mistake in it, and the message with its lines."""
    old, new, message = mistake
    assert SOURCE.count(old) >= 1, old
    at = SOURCE[: SOURCE.index(old)].count("\n") + 1
    source = SOURCE.replace(old, new, 1)
    lines = source.splitlines()
    # Counted from 0, that is the line of the decorator, counted from 1.
    begins = {line[4:].partition("(")[0]: number for number, line in enumerate(lines) if line.startswith("def ")}
    register = next(number for number, line in enumerate(lines, 1) if line.startswith("RULES"))
    return source, message.format(file=file, at=at, register=register, game=register + 1, **begins)
