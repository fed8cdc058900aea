"""What a seat knows: its view tells all of it, and nothing else can be reached from a view."""

import gc
import random
from collections import deque
from dataclasses import replace
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

import naive
from facedown import HiddenInformation, State, UnknownName, View, load
from facedown.cards import mask_of, parse, texts_of
from facedown.kernel import COMPILED
from positions import deal, first_deal, late, legal, play

SEATS = range(4)
SWITCHES = ["lowest_club_leads", "first_trick_points", "break_hearts", "queen_breaks_hearts"]
HOLD = "hearts:passing=hold"
FACE_DOWN = "??"
QUEEN_HAND = {0: "2.AKQJT98765.Q.A"}


def some_games(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """One of the games with options that matter for what is known."""
    options: dict[str, Any] = {name: rng.random() < 0.5 for name in SWITCHES}
    return rng.choice(sorted(naive.GAMES)), {**options, "passing": rng.choice(["left", "across", "right", "hold"])}


def started(rng: random.Random, seed: int, actions: int) -> tuple[State, naive.Table]:
    """A game after some random actions, at the table and at the oracle's."""
    name, options = some_games(rng)
    state = load(name, **options).deal(seed)
    table = naive.Table(replace(naive.GAMES[name], **options), state.hands)
    for _ in range(actions):
        if state.over:
            break
        card = rng.choice(legal(state).split())
        state.play(card)
        table.play(card)
    return state, table


def masks(view: View, field: str) -> list[set[str]]:
    """A field of the record that says who may hold what, as cards by seat."""
    return [set(texts_of(mask)) for mask in view.unseen()[0][field][:4]]


# --- States that a seat cannot tell apart -------------------------------------------------------------------------------


def with_cards_exchanged(state: State, dealt: list[list[str]], viewer: int, rng: random.Random) -> State | None:
    """The same game with a card each of two other seats exchanged before all began; None if somebody would have noticed."""
    one, two = rng.sample([seat for seat in SEATS if seat != viewer], 2)
    first, second = rng.choice(dealt[one]), rng.choice(dealt[two])
    exchange = {first: second, second: first}
    hands = [[exchange.get(card, card) for card in hand] for hand in dealt]
    twin = first_deal(state.game, hands)
    for seat, action in state.history:
        card = state.game.text(action)
        if twin.facts["phase"] == "passing":
            card = exchange.get(card, card)
        if twin.seat != seat or twin.game.parse(card) not in twin.legal:
            return None
        twin.play(card)
    return twin if twin.hands[viewer] == state.hands[viewer] else None


@pytest.mark.parametrize("block", range(4))
def test_states_that_a_seat_cannot_tell_apart_give_it_the_same_view_byte_for_byte(block: int) -> None:
    rng = random.Random(block)
    twins = 0
    for seed in range(25 if COMPILED else 4):
        name, options = some_games(rng)
        state = load(name, **options).deal(seed)
        dealt = state.hands
        for _ in range(rng.randrange(45)):
            if not state.over:
                state.play(rng.choice(state.legal))
        for viewer in SEATS:
            twin = with_cards_exchanged(state, dealt, viewer, rng)
            received = state.view(viewer).facts["received"]
            if (
                twin is None
                or twin.view(viewer).facts["received"] != received
                or twin.data.tobytes() == state.data.tobytes()
            ):
                continue
            twins += 1
            mine, other = state.view(viewer), twin.view(viewer)
            assert bytes(mine) == bytes(other)
            assert mine == other
            assert hash(mine) == hash(other)
            assert mine.facts == other.facts
            assert mine.history == other.history
    assert twins > (10 if COMPILED else 0)


@pytest.mark.parametrize("block", range(4))
def test_a_sampled_world_is_one_that_the_seat_cannot_tell_from_the_real_one(block: int) -> None:
    rng = random.Random(block)
    for seed in range(25 if COMPILED else 2):
        state, table = started(rng, seed, rng.randrange(45))
        for viewer in SEATS:
            view = state.view(viewer)
            world = view.sample(seed=seed)
            assert bytes(world.view(viewer)) == bytes(view)
            assert world.facts["hand_sizes"] == state.facts["hand_sizes"]
            for seat in SEATS:
                cards = tuple(world.hands[seat] + (world.facts["passed"][seat] if table.passing() else []))
                assert table.could_have_held(seat, cards)
                assert seat == viewer or table.got_what_was_passed(viewer, seat, cards)
                assert len(world.facts["passed"][seat]) == len(table.passed[seat])
                receiver = table.receiver(seat)
                if receiver is not None and not table.passing():
                    assert set(world.facts["passed"][seat]) <= {*world.hands[receiver], *world.facts["played"][receiver]}


def test_a_world_sampled_in_a_later_deal_of_a_match_gives_the_same_view() -> None:
    rng = random.Random(1)
    state = load("hearts:match=100").deal(seed=1)
    while state.record.deals < 2 or state.record.tricks_played < 3:
        state.play(rng.choice(state.legal))
    for viewer in SEATS:
        view = state.view(viewer)
        assert bytes(view.sample(seed=3).view(viewer)) == bytes(view)
        assert view.facts["totals"] == state.facts["totals"]


def test_views_differ_where_seat_or_knowledge_differ() -> None:
    state = load("hearts").deal(seed=1)
    other = load("hearts").deal(seed=2)
    assert state.view(0) != state.view(1)
    assert state.view(0) != other.view(0)
    assert state.view(0) != load("hearts:moon=false").deal(seed=1).view(0)
    before = state.view(1)
    state.play(state.legal[0])
    assert state.view(1) != before
    assert state.view(1) != "a view"
    assert len({state.view(seat) for seat in SEATS} | {state.copy().view(seat) for seat in SEATS}) == 4


def test_two_ways_of_passing_are_told_apart_by_the_passer_alone() -> None:
    first, second = (play(deal("hearts", QUEEN_HAND), cards) for cards in ("QS AH 2C", "QS AH 5D"))
    assert first.view(0) != second.view(0)
    assert [first.view(seat) == second.view(seat) for seat in (1, 2, 3)] == [True] * 3


# --- Nothing more can be reached ----------------------------------------------------------------------------------------


def reachable(start: object) -> list[Any]:
    """All objects that can be reached from one: attributes, items, array buffers; not through functions and modules."""
    found: dict[int, Any] = {}
    waiting = deque([start])
    while waiting:
        item = waiting.popleft()
        if id(item) in found or (callable(item) and item is not start) or type(item).__name__ == "module":
            continue
        found[id(item)] = item
        waiting.extend(gc.get_referents(item))
        waiting.extend(getattr(item, "__dict__", {}).values())
        if isinstance(item, np.ndarray | np.generic) and getattr(item, "base", None) is not None:
            waiting.append(item.base)
    return list(found.values())


def tells(item: Any, secrets: set[int], hands: list[list[str]]) -> bool:
    """Whether an object holds a hidden hand or the seed, as number, text, list or raw memory."""
    if isinstance(item, State):
        return True
    if isinstance(item, int):
        return item in secrets
    if isinstance(item, str):
        return any(str(secret) in item for secret in secrets)
    if isinstance(item, list | tuple):
        return list(item) in hands or [card for card in item if isinstance(card, str)] in hands
    memory = item if isinstance(item, bytes | bytearray) else item.tobytes() if isinstance(item, np.ndarray) else b""
    return any(secret.to_bytes(8, order) in memory for secret in secrets for order in ("little", "big"))


def ask_everything(view: View) -> None:
    """Use a view, so that whatever it might remember is there to be found."""
    _ = view.facts, view.hands, view.scores, view.over, view.to_move, view.history, hash(view), repr(view)
    view.worlds()
    view.sample(seed=1)


@pytest.mark.parametrize("game", ["hearts", HOLD, "hearts:passing=right,match=50", "hearts32"])
@pytest.mark.parametrize("actions", [0, 5, 11, 14, 24])
def test_no_hidden_hand_and_no_seed_can_be_reached_from_a_view(game: str, actions: int) -> None:
    state = load(game).deal(seed=0x1234_5678_9ABC_DEF0)
    for _ in range(min(actions, 12 if game == "hearts32" else 24)):
        state.play(state.legal[-1])
    for viewer in SEATS:
        hidden = [state.hands[seat] for seat in SEATS if seat != viewer]
        secrets = {int(mask_of(map(parse, hand))) for hand in hidden} | {state.seed}
        view = state.view(viewer)
        ask_everything(view)
        items = reachable(view)
        assert any(item is view.data for item in items)
        assert not [item for item in items if tells(item, secrets, hidden)]
        assert any(tells(item, secrets, hidden) for item in reachable(state))


def test_a_view_shares_no_memory_with_the_state() -> None:
    state = deal("hearts", QUEEN_HAND)
    view = state.view(0)
    before = bytes(view)
    assert not np.shares_memory(view.data, state.data)
    play(state, "QS AH 2C")
    assert bytes(view) == before


# --- What a view shows --------------------------------------------------------------------------------------------------


def test_a_view_shows_its_own_hand_and_none_for_the_others() -> None:
    state = load("hearts").deal(seed=1)
    for seat in SEATS:
        view = state.view(seat)
        assert view.hands == [hand if seat == other else None for other, hand in enumerate(state.hands)]
        assert view.hand(seat) == view.facts["hand"] == state.hands[seat]


def test_all_seats_see_the_same_table() -> None:
    state, _ = started(random.Random(7), seed=7, actions=33)
    public = state.facts.keys() - {"hands", "passed"}
    for seat in SEATS:
        facts = state.view(seat).facts
        assert facts.keys() == public | {"hand", "passed", "received"}
        assert {name: facts[name] for name in public} == {name: state.facts[name] for name in public}
        assert state.view(seat).scores == state.scores


def test_asking_a_view_for_what_is_hidden_is_refused_by_name() -> None:
    state = load("hearts").deal(seed=1)
    view = state.view(2)
    with pytest.raises(HiddenInformation, match="seat 2 cannot see the hand of seat 1"):
        view.hand(1)
    with pytest.raises(HiddenInformation, match="seat 2 cannot know 'hands'"):
        view.facts["hands"]
    with pytest.raises(HiddenInformation, match="the legal actions of seat 0 depend on cards that seat 2 cannot see"):
        _ = view.legal
    for name in ("seed", "play", "deal_next"):
        with pytest.raises(HiddenInformation, match=f"a view does not have '{name}': seat 2 cannot know it"):
            getattr(view, name)
    with pytest.raises(UnknownName, match="unknown fact 'trumps'; known: deals_over, "):
        view.facts["trumps"]


def test_a_view_shows_the_legal_actions_of_its_own_turn() -> None:
    state = load(HOLD).deal(seed=1)
    assert state.seat is not None
    assert state.view(state.seat).legal == state.legal
    assert state.view(state.seat).to_move == state.seat


def test_cards_passed_by_others_are_seen_from_behind() -> None:
    state = play(deal("hearts", QUEEN_HAND), "QS AH 2C")
    state.play(state.legal[0])
    for viewer in SEATS:
        seen = [(seat, state.game.text(action)) for seat, action in state.view(viewer).history]
        own = ["QS", "AH", "2C"] if viewer == 0 else [FACE_DOWN] * 3
        last = state.game.text(state.history[3][1]) if viewer == 1 else FACE_DOWN
        assert seen == [(0, card) for card in own] + [(1, last)]
        assert state.view(viewer).facts["passed"] == (["2C", "QS", "AH"] if viewer == 0 else [last] if viewer == 1 else [])
        assert state.view(viewer).facts["received"] == []


def test_received_cards_are_known_to_the_receiver_alone() -> None:
    state = play(deal("hearts", QUEEN_HAND), "QS AH 2C")
    while state.facts["phase"] == "passing":
        state.play(state.legal[0])
    assert state.view(1).facts["received"] == ["2C", "QS", "AH"]
    for viewer in SEATS:
        shown = [texts_of(mask) != [] for mask in state.view(viewer).record.passed]
        assert shown == [seat in (viewer, (viewer - 1) % 4) for seat in SEATS]


# --- What a seat can work out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", range(4))
def test_a_view_knows_all_that_the_rulebook_lets_a_seat_work_out_and_no_more(block: int) -> None:
    rng = random.Random(100 + block)
    for seed in range(12 if COMPILED else 3):
        state, table = started(rng, seed, rng.randrange(60))
        for viewer in SEATS:
            view = state.view(viewer)
            unseen = set(table.unseen(viewer))
            others = [seat for seat in SEATS if seat != viewer]
            assert set(texts_of(view.unseen()[0].unseen)) == unseen
            assert [masks(view, "may_hold")[seat] for seat in others] == [
                unseen - table.cannot_hold(seat) for seat in others
            ]
            assert masks(view, "known") == [table.known(viewer, seat) for seat in SEATS]
            assert view.unseen()[0].room[:4].tolist() == [table.places(viewer, seat) for seat in SEATS]
            assert view.worlds() == table.count_worlds(viewer)


@pytest.mark.parametrize("block", range(3))
def test_the_worlds_of_a_view_are_those_found_by_trying_every_deal(block: int) -> None:
    rng = random.Random(200 + block)
    for seed in range(8 if COMPILED else 2):
        state, table = started(rng, seed, 0)
        while sum(map(len, table.hands)) > rng.choice([8, 12, 13]) and not state.over:
            card = rng.choice(legal(state).split())
            state.play(card)
            table.play(card)
        viewer = rng.choice(SEATS)
        view = state.view(viewer)
        worlds = table.worlds(viewer)
        assert view.worlds() == table.count_worlds(viewer) == len(worlds)
        assert [hand if seat != viewer else [] for seat, hand in enumerate(state.hands)] in worlds
        sampled = [view.sample(seed=draw).hands for draw in range(20 * min(len(worlds), 8))]
        seen = [[hand if seat != viewer else [] for seat, hand in enumerate(hands)] for hands in sampled]
        assert all(world in worlds for world in seen)
        assert len(worlds) > 8 or all(world in seen for world in worlds)


def test_a_point_discarded_on_the_first_trick_shows_a_hand_of_points() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "-.-.Q.KQJT98765432"})
    play(state, "2C QS")
    assert state.view(0).facts["voids"][1] == ["C", "D", "S"]
    assert state.view(0).worlds() == comb(26, 13)  # all twelve hearts lie with seat 1


def test_a_harmless_discard_on_the_first_trick_shows_a_void_and_no_more() -> None:
    view = play(deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "-.432.QJ.KQJT9876"}), "2C JS").view(0)
    assert view.facts["voids"] == [[], ["C"], [], []]
    assert masks(view, "may_hold")[1] == {card for card in masks(view, "may_hold")[2] if card[1] != "C"}


def test_the_queen_on_the_first_trick_shows_that_no_other_spade_is_held() -> None:
    options = "hearts:passing=hold,lowest_club_leads=false"
    state = play(deal(options, {0: "2.AKQJT98765.A.A", 1: "-.432.Q.KQJT98765"}), "AS QS")
    assert state.view(0).facts["voids"][1] == ["S"]


def test_a_heart_led_before_hearts_are_broken_shows_a_hand_of_hearts() -> None:
    hands = ["-.-.-.78", "7.-.-.9", "8.7.-.-", "T.T.-.-"]
    assert play(late("hearts", hands, hearts_broken=False), "7H").view(1).facts["voids"][0] == ["C", "D", "S"]
    assert play(late("hearts", hands, hearts_broken=True), "7H").view(1).facts["voids"][0] == []


def test_with_32_cards_the_holder_of_the_seven_of_clubs_is_known_until_it_is_played() -> None:
    state = play(deal("hearts32", {3: "7A.AK.Q.A98"}), "AD")
    for viewer in (0, 1, 2):
        view = state.view(viewer)
        assert masks(view, "known") == [set(), set(), set(), {"7C"}]
        assert all("7C" in view.sample(seed=seed).hands[3] for seed in range(20))
    assert state.view(0).worlds() == factorial(22) // (factorial(6) * factorial(8) * factorial(8))
    play(state, "7D 9D JS  7C")
    assert masks(state.view(0), "known") == [set()] * 4


def test_passed_cards_are_known_to_lie_with_their_receiver_until_they_are_played() -> None:
    state = deal("hearts", {**QUEEN_HAND, 1: "34567.234.AK.345"})
    play(state, "2C QS AH  5H AS KS")
    assert masks(state.view(0), "known") == [set()] * 4
    while state.facts["phase"] == "passing":
        state.play(state.legal[0])
    assert masks(state.view(0), "known") == [set(), {"2C", "QS", "AH"}, set(), set()]
    assert masks(state.view(1), "known") == [set(), set(), {"KS", "AS", "5H"}, set()]
    play(state, "2C")
    assert masks(state.view(0), "known") == [set(), {"QS", "AH"}, set(), set()]
    for seed in range(20):
        assert {"QS", "AH"} < set(state.view(0).sample(seed).hands[1])


def test_all_know_who_holds_the_two_of_clubs_once_the_cards_are_passed() -> None:
    state = play(deal("hearts", QUEEN_HAND), "2C QS AH")
    while state.facts["phase"] == "passing":
        assert masks(state.view(2), "known") == [set()] * 4
        state.play(state.legal[0])
    for viewer in (2, 3):
        assert state.view(viewer).facts["opener"] == 1
        assert "2C" in masks(state.view(viewer), "known")[1]
    assert masks(state.view(3), "known")[1] == {"2C"}
