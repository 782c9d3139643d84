"""Why something cannot be done: a reason from the rules for all that is refused, and only that."""

from random import Random
from typing import get_args

import pytest
from tests.server.games.skull.scene import Scene, every_action, every_option, random_step

from skull_client.reasons import why_not
from skull_protocol import skull
from skull_protocol.skull import (
    Abandon,
    Bid,
    Flip,
    Lose,
    NameStarter,
    Pass,
    Phase,
    Pick,
    Place,
    Ready,
    Show,
    SkullAction,
)
from skull_server.games.skull.game import SkullGame

NAMES = ("Ana", "Boris", "Cy", "Dora", "Eva", "Fritz")
KINDS: tuple[type[SkullAction], ...] = get_args(SkullAction)


def name(seat: int) -> str:
    return NAMES[seat]


def asked(scene: Scene, seat: int, wanted: SkullAction | type[SkullAction]) -> str | None:
    return why_not(scene.view, scene.own(seat), wanted, name)


# -- agreement with the rules -------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_there_is_a_reason_exactly_when_the_rules_refuse(seed: int) -> None:
    """For every option, phase, seat and action, over whole games by the engine."""
    rng = Random(seed)
    met: set[tuple[Phase, type[SkullAction]]] = set()
    for number, options in enumerate(every_option()):
        if number % 6 != seed:  # each of them once
            continue
        seats = rng.randint(2, 6)
        game = SkullGame(options, seats, Random(rng.random()), ())
        for _ in range(60):
            view = game.view()
            for seat in range(seats):
                own, legal = game.own_view(seat), game.legal_actions(seat)
                for action in every_action(game):
                    told = why_not(view, own, action, name)
                    assert (told is None) == (action in legal), (view, seat, action)
                    assert told is None or is_a_line(told), told
                for kind in KINDS:
                    told = why_not(view, own, kind, name)
                    assert (told is None) == any(isinstance(one, kind) for one in legal)
                    met.add((view.phase, kind))
            if game.winner() is not None:
                break
            game.apply(*random_step(game, rng))
    assert {phase for phase, _ in met} >= {"initial", "turn", "bidding", "challenge", "round_over"}


def is_a_line(text: str) -> bool:
    return text[0].isupper() and text[-1] == "." and len(text) <= 76 and "None" not in text


def test_nobody_is_told_to_wait_for_who_is_not_waited_for() -> None:
    rng = Random(5)
    game = SkullGame(skull.SkullOptions(), 5, Random(5), ())
    while game.winner() is None:
        view = game.view()
        for seat in range(5):
            for kind in KINDS:
                told = why_not(view, game.own_view(seat), kind, name) or ""
                if told.startswith("It is ") or "wait for" in told:
                    for other, called in enumerate(NAMES[:5]):
                        assert (called in told) <= (other in view.to_act), told
                assert NAMES[seat] not in told, "nobody is told about themselves"
        game.apply(*random_step(game, rng))


# -- what each moment says, from the rules -------------------------------------------------------

EVERY_MOMENT: dict[Phase, dict[type[SkullAction], str | None]] = {
    "initial": {
        Place: "You have placed your first disc: wait for Ana.",
        Bid: "Nobody bids before everybody has placed a disc.",
        Pass: "Nobody has bid yet: first, everybody places a disc.",
        Flip: "The highest bidder flips, once the bidding is over.",
        Pick: "A disc is taken from somebody only after they hit your skull.",
        Lose: "A disc is given up only after hitting one's own skull.",
        NameStarter: "Only who is out by their own skull names the next starter.",
        Show: "Discs are shown once a challenge has failed and the round is over.",
        Ready: "This round is not over yet.",
        Abandon: None,
    },
    "turn": {
        Place: "It is Ana's turn.",
        Bid: "It is Ana's turn.",
        Pass: "Nobody has bid yet: there is nothing to pass.",
    },
    "bidding": {
        Place: "Somebody has bid: no more discs in this round.",
        Bid: "It is Boris's turn.",
        Pass: "It is Boris's turn.",
    },
    "challenge": {
        Place: "The bidding is over: no more discs in this round.",
        Bid: "The bidding is over: Ana flips now.",
        Pass: "The bidding is over: Ana flips now.",
        Flip: "Only Ana flips in this challenge.",
    },
    "pick": {
        Place: "The bidding is over: no more discs in this round.",
        Bid: "The bidding is over until the next round.",
        Pass: "The bidding is over until the next round.",
        Flip: "The challenge is decided: no more discs are flipped.",
        Pick: "Only Boris takes a disc: it was their skull.",
        Abandon: "The challenge is decided: the round cannot be taken back.",
    },
    "lose": {
        Pick: "A disc is taken from somebody only after they hit your skull.",
        Lose: "Only Ana chooses a disc to give up.",
    },
    "name_starter": {
        Lose: "A disc is given up only after hitting one's own skull.",
        NameStarter: "Only Ana names the next starter.",
        Show: "Discs are shown once a challenge has failed and the round is over.",
        Ready: "This round is not over yet.",
    },
    "round_over": {
        NameStarter: "Only who is out by their own skull names the next starter.",
        Show: None,
        Ready: None,
    },
    "game_over": dict.fromkeys(KINDS, "The game is over."),
}
"""What seat 2 is told, who has placed and waits. What a phase does not name is as before it."""


def moment(phase: Phase) -> Scene:
    """A game of three where seat 2 has placed, and waits for others."""
    scene = Scene(3)
    match phase:
        case "initial":
            scene.place(1, "F")
            scene.place(2, "F")
        case "turn":
            scene.first_discs()
        case "bidding":
            scene.first_discs()
            scene.bid(0, 1)
        case "challenge":
            scene.first_discs()
            scene.challenge(0, 3)
        case "pick":
            scene.hit_skull_of(1, 0)
        case "lose":
            scene.hit_own_skull(0)
        case "name_starter":
            out_by_own_skull(scene)
        case "round_over":
            scene.hit_own_skull(0, lose="F")
        case "game_over":
            scene.win_challenge(0)
            scene.press_on()
            scene.win_challenge(0)
    assert scene.view.phase == phase
    return scene


def out_by_own_skull(scene: Scene) -> None:
    """Ana hits her own skull until she has no disc left."""
    for _ in range(3):
        scene.hit_own_skull(0, lose="F")
        scene.press_on()
    scene.hit_own_skull(0)


@pytest.mark.parametrize("phase", get_args(Phase))
def test_what_somebody_who_waits_is_told_at_every_moment(phase: Phase) -> None:
    expected: dict[type[SkullAction], str | None] = {}
    for some in get_args(Phase):
        expected |= EVERY_MOMENT[some]
        if some == phase:
            break
    scene = moment(phase)
    assert {kind: asked(scene, 2, kind) for kind in KINDS} == expected


@pytest.mark.parametrize("phase", get_args(Phase))
@pytest.mark.parametrize("kind", KINDS)
def test_a_spectator_is_told_that_they_watch(phase: Phase, kind: type[SkullAction]) -> None:
    told = why_not(moment(phase).view, None, kind, name)
    assert told == "You are watching: only those who sit at the table play."


# -- what those are told who act, or have acted --------------------------------------------------


def test_the_first_discs() -> None:
    scene = Scene(3)
    assert asked(scene, 0, Place) == "You start, and place after Boris and Cy."
    assert asked(scene, 1, Place) is None
    assert asked(scene, 1, Bid) == "Nobody bids before everybody has placed a disc."


def test_a_turn() -> None:
    scene = Scene(3)
    scene.first_discs(s0="S")
    assert asked(scene, 0, Pass) == "Nobody has bid yet: place a disc or bid."
    assert asked(scene, 0, Place("S")) == "Your skull lies on your mat already."
    assert asked(scene, 0, Bid(4)) == "There are just 3 discs on the mats: no bid can be higher."
    assert asked(scene, 0, Bid(0)) == "A bid must be higher than 0."
    assert asked(scene, 0, Bid(3)) is None


def test_an_empty_hand() -> None:
    scene = Scene(2)
    scene.first_discs()
    for _ in range(3):
        for seat in (0, 1):
            scene.place(seat, scene.own(seat).hand[0])
    assert asked(scene, 0, Place) == "Your hand is empty: you must bid."


def test_a_lost_skull() -> None:
    scene = Scene(3)
    scene.hit_own_skull(0, lose="S")
    scene.press_on()
    scene.place(1, "F")
    scene.place(2, "F")
    assert asked(scene, 0, Place("S")) == "Your skull is lost for the rest of the game."


def test_the_bidding() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.bid(0, 1)
    scene.bid(1, 2)
    scene.passes(2)
    for kind in (Bid, Pass):
        assert asked(scene, 2, kind) == "You passed: out until the next round."
    assert asked(scene, 1, Pass) == "The highest bid is yours: you cannot pass it."
    assert asked(scene, 1, Bid) == "The highest bid is yours: wait whether somebody raises it."
    assert asked(scene, 0, Place) == "Somebody has bid: no more discs in this round."
    assert asked(scene, 0, Bid(2)) == "A bid must be higher than 2."
    assert asked(scene, 0, Bid(3)) is None


def test_the_challenge() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.challenge(0, 3)
    assert asked(scene, 0, Bid) == "The bidding is over: you flip now."
    assert asked(scene, 0, Flip(1)) == "Flip your own stack first, from the top down."
    scene.flips(0, 0, 1)
    assert asked(scene, 0, Flip(0)) == "All your own discs are flipped: choose another stack."
    assert asked(scene, 0, Flip(1)) == "Boris has no face-down disc: choose another."
    assert asked(scene, 0, Flip(2)) is None


def test_the_price() -> None:
    assert asked(moment("pick"), 1, Pick(4)) == "There are discs 1 to 4 to take from."
    out = moment("name_starter")
    assert asked(out, 0, NameStarter(0)) == "You are out of the game: name somebody else."
    assert asked(out, 0, Bid) == "You are out of the game."
    out.do(0, NameStarter(1))
    told = asked(out, 0, Show)
    assert told == "You are out of the game: watch the others until it is over."


def test_after_the_round() -> None:
    scene = Scene(3)
    scene.win_challenge(0)
    assert asked(scene, 1, Show) == "Discs are shown only after a challenge that failed."
    scene = moment("round_over")
    assert asked(scene, 0, Show) == "No disc of yours lies face down on your mat."
    scene.do(1, Show(0))
    assert asked(scene, 1, Show(0)) == "No disc of yours lies face down on your mat."
    scene.do(1, Ready())
    assert asked(scene, 1, Ready) == "You are ready: waiting for Ana and Cy."


def test_a_disc_that_was_shown() -> None:
    scene = Scene(2)
    scene.first_discs(s0="S")
    scene.place(0, "F")
    scene.place(1, "F")
    scene.bid(0, 4)
    scene.flips(0, 0, 0)
    scene.do(0, Lose("F"))
    scene.do(1, Show(0))
    assert asked(scene, 1, Show(1)) is None
    assert asked(scene, 1, Show(0)) == "Everybody sees that disc already."
    assert asked(scene, 1, Show(2)) == "You have no disc there."


def test_a_vote_on_the_round() -> None:
    scene = moment("turn")
    assert asked(scene, 2, Abandon(False)) == "You did not ask to take the round back."
    scene.do(2, Abandon(True))
    assert asked(scene, 2, Abandon(True)) == "You ask for it already: the others have to agree."
    assert asked(scene, 2, Lose("F")) == "A disc is given up only after hitting one's own skull."
