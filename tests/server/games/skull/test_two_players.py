"""The endgame bot: close to an equilibrium, on public beliefs that follow from the rules."""

import copy
import hashlib
import json
import subprocess
import sys
from importlib import resources
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skull_protocol.skull import (
    Abandon,
    Bid,
    Flip,
    Lose,
    Pass,
    Pick,
    Place,
    Ready,
    Show,
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
)
from skull_server.games.skull.bots.duel import (
    IN_HAND,
    NO_SKULL,
    UNDER,
    Duel,
    Row,
    actor,
    allowed_columns,
    duels,
    heights,
    most_placed,
    rows,
    states,
    steps_to,
    total,
)
from skull_server.games.skull.bots.duel_table import Corners, DuelTable, shipped
from skull_server.games.skull.bots.two_players import TwoPlayers
from skull_server.games.skull.game import SkullGame

RULES = SkullOptions(first_player=0)
seeds = st.integers(0, 2**32)
variants = st.builds(
    SkullOptions,
    first_player=st.sampled_from(["random", 0, 1]),
    initial=st.sampled_from(["starter_last", "together"]),
    own_skull=st.sampled_from(["choose", "random"]),
    last_chance=st.booleans(),
    equipment=st.sampled_from(["discs", "cards"]),
    practice=st.booleans(),
).filter(lambda options: not (options.last_chance and options.equipment == "cards"))


class Table:
    """A game of two bots, or of bots and people who do anything; all are told what is public."""

    def __init__(self, rules: SkullOptions, seed: int, seats: int = 2) -> None:
        self.game = SkullGame(rules, seats, Random(seed), [None] * seats)
        self.bots = [TwoPlayers(shipped(), rules) for _ in range(seats)]
        self.dice = Random(f"dice {seed}")
        self.tell(self.game.opening())

    def tell(self, events: list[SkullEvent]) -> None:
        public = [self.game.event_for(event, None) for event in events]
        for bot in self.bots:
            bot.see(public)

    def do(self, seat: int, *actions: object) -> None:
        for action in actions:
            self.tell(self.game.apply(seat, action))  # type: ignore[arg-type]

    def see(self, seat: int) -> tuple[SkullView, SkullOwn]:
        return self.game.view(), self.game.own_view(seat)

    def two_left(self) -> bool:
        return sum(not seat.eliminated for seat in self.game.view().seats) == 2

    def uniform(self, seat: int) -> object:
        actions = self.game.own_view(seat).choices.actions()
        return self.dice.choice([a for a in actions if not isinstance(a, Abandon)])

    def beliefs(self) -> dict[int, float]:
        """What is believed of each seat after the round that is over."""
        for seat in sorted(self.game.to_act()):
            self.do(seat, Ready())
        view = self.game.view()
        return {seat: self.bots[0]._public.owns(view, seat) for seat in range(len(view.seats))}


# -- the numbering of rounds ---------------------------------------------------------------------


@pytest.mark.parametrize(("discs", "nodes"), [(1, 2), (2, 14), (3, 62), (4, 254)])
def test_a_round_has_as_many_decisions_as_counted_by_hand(discs: int, nodes: int) -> None:
    most = most_placed((discs, discs))
    assert sum(2 ** (total(placed) - 1) for placed in range(most + 1)) == nodes
    assert len({(row.placed, row.bids) for row in rows((discs, discs))}) == nodes


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_turns_and_choices_are_those_of_the_rules(seed: int) -> None:
    table = Table(RULES, seed)
    while table.game.winner() is None:
        view = table.game.view()
        seat = min(table.game.to_act())
        own = table.game.own_view(seat)
        if view.phase in ("turn", "bidding"):
            mats = [len(view.seats[who].stack) for who in (view.starter, 1 - view.starter)]
            placed = sum(mats) - 2
            bids = table.bots[0]._public.bids()
            assert list(heights(placed)) == mats
            assert actor(placed, bids) == (seat != view.starter)
            allowed = allowed_columns(view.seats[seat].discs, placed, bids, _state(own))
            actions = [a for a in own.choices.actions() if not isinstance(a, Abandon)]
            assert len(allowed) == len(actions)
            possible = states(view.seats[seat].discs, len(own.stack))
            assert _state(own) in possible
        table.do(seat, table.uniform(seat))


def _state(own: SkullOwn) -> int:
    return 2 + own.stack.index("S") if "S" in own.stack else int("S" in own.hand)


# -- what is shipped -----------------------------------------------------------------------------


def note() -> dict[str, object]:
    file = resources.files("skull_server.games.skull.bots").joinpath("two_players.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_note_beside_the_data_tells_the_truth() -> None:
    file = resources.files("skull_server.games.skull.bots").joinpath("two_players.bin")
    packed = file.read_bytes()
    assert note()["sha256"] == hashlib.sha256(packed).hexdigest()
    assert note()["bytes"] == len(packed) < 900_000
    assert str(note()["command"]).startswith("python -m skull_server.games.skull.training two-pl")


def test_it_needs_no_numpy_and_little_memory() -> None:
    program = (
        "import sys, tracemalloc; tracemalloc.start();"
        "from skull_server.games.skull.bots.duel_table import shipped; shipped();"
        "assert 'numpy' not in sys.modules; print(tracemalloc.get_traced_memory()[1])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) < 30_000_000


def test_a_damaged_table_is_refused() -> None:
    with pytest.raises(ValueError, match="bytes were expected"):
        DuelTable(bytes([11, 255, 20]) + bytes(1000))


@pytest.mark.parametrize(
    ("duel", "belief", "wins"),
    [
        (Duel(1, 1, 0, 0), 0.5, 0.25),
        (Duel(1, 1, 1, 1), 0.5, 0.5),
        (Duel(2, 2, 0, 0), 1.0, 0.5),
        (Duel(2, 2, 0, 0), 0.5, 0.5952),
        (Duel(2, 2, 1, 1), 0.5, 0.625),
        (Duel(3, 3, 1, 1), 1.0, 0.5534),
        (Duel(4, 4, 0, 0), 1.0, 0.522),
    ],
)
def test_the_starter_wins_as_often_as_is_known_of_the_exact_solution(
    duel: Duel, belief: float, wins: float
) -> None:
    without, owning, other_without, other_owning = shipped().values(duel, (belief, belief))
    starter = belief * owning + (1 - belief) * without
    other = belief * other_owning + (1 - belief) * other_without
    assert starter + other == pytest.approx(1)
    assert starter == pytest.approx(wins, abs=0.005)


@pytest.mark.parametrize("duel", duels())
def test_all_that_is_shipped_are_chances(duel: Duel) -> None:
    table, dice = shipped(), Random(str(duel))
    beliefs = tuple(1.0 if count == 4 else dice.random() for count in duel.discs)
    corners = table.corners(duel, (beliefs[0], beliefs[1]))
    assert sum(corners.shares) == pytest.approx(1)
    for row in dice.sample(rows(duel.discs), min(60, len(rows(duel.discs)))):
        shares = table.shares(duel, row.placed, row.bids, row.state, corners)
        assert sum(shares) == pytest.approx(1)
        assert all(share >= 0 for share in shares)
        assert not any(share for i, share in enumerate(shares) if i not in row.allowed)
        seen = table.shares(duel, row.placed, row.bids, row.state, corners, trembling=True)
        assert all((share > 0) == (i in row.allowed) for i, share in enumerate(seen))


@pytest.mark.parametrize("duel", [Duel(3, 3, 0, 0), Duel(2, 3, 1, 0), Duel(4, 2, 0, 1)])
def test_between_points_of_the_grid_one_plan_is_played_for_a_whole_round(duel: Duel) -> None:
    """What one does in a row is as likely as if one of the plans around had been drawn for it."""
    table = shipped()
    beliefs = 1.0 if duel.starter_discs == 4 else 0.37, 1.0 if duel.other_discs == 4 else 0.61
    corners = table.corners(duel, beliefs)
    assert len(corners.points) > 1

    def in_a_row(row: Row, column: int, where: Corners) -> float:
        player = actor(row.placed, row.bids)
        lays = table.lays_skull(duel, player, where, trembling=True)
        chance = {NO_SKULL: 1.0, UNDER + 1: lays}.get(row.state, 1 - lays)
        for placed, bids, state, done in [
            *steps_to(row.placed, row.bids, row.state),
            (row.placed, row.bids, row.state, column),
        ]:
            chance *= table.shares(duel, placed, bids, state, where, trembling=True)[done]
        return chance

    for row in rows(duel.discs):
        for column in row.allowed:
            drawn = sum(
                share * in_a_row(row, column, Corners((point,), (1.0,)))
                for point, share in zip(corners.points, corners.shares, strict=True)
            )
            assert in_a_row(row, column, corners) == pytest.approx(drawn)


def test_the_steps_to_a_decision_are_those_of_who_decides() -> None:
    # Two discs more each, the skull second; then bids of 1, 2, 4 and 5.
    assert list(steps_to(4, 0b11011, UNDER + 2)) == [
        (0, 0, IN_HAND, 1),
        (2, 0, UNDER + 2, 0),
        (4, 0, UNDER + 2, 2),
        (4, 0b11, UNDER + 2, 2),
    ]
    assert list(steps_to(3, 0b101, NO_SKULL)) == [(1, 0, NO_SKULL, 0), (3, 0, NO_SKULL, 2)]


# -- what everybody may believe ------------------------------------------------------------------


def test_a_skull_that_was_seen_is_owned() -> None:
    table = Table(RULES, 1)
    table.do(1, Place("S"))
    table.do(0, Place("F"), Bid(2), Flip(0), Flip(1))
    table.do(1, Pick(0))
    assert table.beliefs()[1] == 1


@pytest.mark.parametrize("own_skull", ["choose", "random"])
def test_a_disc_drawn_blind_was_the_skull_as_often_as_any(own_skull: str) -> None:
    table = Table(SkullOptions(first_player=0, own_skull=own_skull), 1)  # type: ignore[arg-type]
    table.do(1, Place("S"))
    table.do(0, Place("F"), Bid(2), Flip(0), Flip(1))
    table.do(1, Pick(0))
    beliefs = table.beliefs()
    assert beliefs == {0: pytest.approx(3 / 4), 1: 1}


def test_a_lost_disc_that_was_drawn_at_random_is_no_choice() -> None:
    table = Table(SkullOptions(first_player=0, own_skull="random"), 1)
    table.do(1, Place("F"))
    table.do(0, Place("S"), Bid(2), Flip(0))
    assert table.beliefs() == {0: pytest.approx(3 / 4), 1: 1}


def test_who_may_choose_what_to_lose_mostly_keeps_the_skull() -> None:
    table = Table(RULES, 1)
    table.do(1, Place("F"))
    table.do(0, Place("S"), Bid(2), Flip(0))
    keeps = table.bots[0].weights(*table.see(0))[Lose("F")]
    table.do(0, Lose("F"))
    assert table.beliefs()[0] == pytest.approx(keeps)
    assert keeps > 0.5


def test_who_showed_only_flowers_has_no_skull() -> None:
    table = Table(RULES, 1)
    state = table.game._state
    # As if three discs had been lost, and nobody was told which.
    for player in state.players:
        player.hand[:], player.lost[:] = ["F"], ["F", "F", "S"]
        table.bots[0]._public._discs[player.seat] = 1
        table.bots[0]._public._owns[player.seat] = 0.5
    table.do(1, Place("F"))
    table.do(0, Place("F"), Bid(1))
    table.do(1, Pass())
    table.do(0, Flip(0))
    beliefs = table.beliefs()
    assert beliefs[0] == 0
    assert 0 < beliefs[1] < 1


def test_a_practice_round_changes_no_belief() -> None:
    table = Table(SkullOptions(first_player=0, practice=True), 1)
    table.do(1, Place("S"))
    table.do(0, Place("F"), Bid(2), Flip(0), Flip(1))
    assert table.beliefs() == {0: 1, 1: 1}


@settings(max_examples=60, deadline=None)
@given(options=variants, seats=st.integers(2, 4), seed=seeds)
def test_beliefs_never_exclude_what_is_true(options: SkullOptions, seats: int, seed: int) -> None:
    """However odd the players: who owns the skull is never believed to be without for certain."""
    table = Table(options, seed, seats)
    while table.game.winner() is None:
        seat = table.dice.choice(sorted(table.game.to_act()))
        table.do(seat, table.uniform(seat))
        view = table.game.view()
        if view.phase != "initial":
            continue
        for player in table.game._state.players:
            if player.eliminated:
                continue
            belief = table.bots[0]._public.owns(view, player.seat)
            owns = any(disc[0] in "SJQK" for disc in player.hand + player.stack)
            assert 0 <= belief <= 1
            assert belief > 0 if owns else belief < 1, (belief, owns, player.seat)


# -- how it plays --------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(options=variants, seats=st.integers(2, 4), told=st.booleans(), seed=seeds)
def test_it_plays_on_from_wherever_two_are_left(
    options: SkullOptions, seats: int, told: bool, seed: int
) -> None:
    table = Table(options, seed, seats)
    while table.game.winner() is None:
        seat = table.dice.choice(sorted(table.game.to_act()))
        view, own = table.see(seat)
        action = table.uniform(seat)
        if table.two_left() and not view.seats[seat].eliminated:
            bot = table.bots[seat] if told else TwoPlayers(shipped(), options)
            weights = bot.weights(view, own)
            assert sum(weights.values()) == pytest.approx(1)
            assert set(weights) <= set(own.choices.actions())
            assert not any(isinstance(each, Show | Abandon) for each in weights)
            if seed % 2:
                action = bot.decide(view, own, table.dice)
        table.do(seat, action)


@pytest.mark.interpreted
@settings(max_examples=30, deadline=None)
@given(options=variants, seed=seeds)
def test_what_a_seat_cannot_see_does_not_change_its_action(
    options: SkullOptions, seed: int
) -> None:
    table = Table(options, seed)
    rng = Random(seed)
    while table.game.winner() is None:
        seat = rng.choice(sorted(table.game.to_act()))
        view, own = table.see(seat)
        dice = rng.getrandbits(64)
        action = table.bots[seat].decide(view, own, Random(dice))
        other = copy.deepcopy(table.game)
        for player in other._state.players:
            if player.seat != seat:
                hidden = [i for i, up in enumerate(player.face_up) if not up]
                discs = [*player.hand, *player.lost, *(player.stack[i] for i in hidden)]
                rng.shuffle(discs)
                player.hand[:] = [discs.pop() for _ in player.hand]
                player.lost[:] = [discs.pop() for _ in player.lost]
                for position in hidden:
                    player.stack[position] = discs.pop()
        rng.shuffle(other._state.offered)
        again = copy.deepcopy(table.bots[seat])
        assert again.decide(other.view(), other.own_view(seat), Random(dice)) == action
        table.do(seat, action)


def test_it_says_so_when_there_is_nothing_to_choose_or_more_than_two_play() -> None:
    table = Table(RULES, 1)
    with pytest.raises(ValueError, match="nothing to choose"):
        table.bots[0].decide(*table.see(0), Random(1))
    three = Table(RULES, 1, seats=3)
    with pytest.raises(ValueError, match="two players"):
        three.bots[1].decide(*three.see(1), Random(1))


def test_facing_a_bid_of_one_a_flower_raises_and_a_skull_mostly_passes() -> None:
    """As the exact solution has it at the start of the game."""
    for disc, raises in (("F", 0.9), ("S", 0.0)):
        table = Table(RULES, 1)
        table.do(1, Place(disc))
        table.do(0, Place("F"), Bid(1))
        weights = table.bots[1].weights(*table.see(1))
        assert weights[Bid(2)] >= raises
        if disc == "S":
            assert weights[Pass()] > 0.8


def test_the_win_chance_is_that_of_the_solution() -> None:
    table = Table(RULES, 1)
    starter = table.bots[0].win_chance(*table.see(0))
    assert starter == pytest.approx(0.522, abs=0.005)
    assert table.bots[1].win_chance(*table.see(1)) == pytest.approx(1 - starter)
