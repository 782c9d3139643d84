"""Every event, moment, option and state of the link has a sentence, for you and about others."""

import re
from typing import get_args

import msgspec
import pytest

from skull_client import link_wording, wording
from skull_client.link import LinkStatus
from skull_client.option_wording import (
    SKULL_OPTIONS,
    TABLE_OPTIONS,
    OptionWording,
    option_value,
    unusual_options,
)
from skull_protocol import skull
from skull_protocol.skull import (
    Choices,
    Outcome,
    Phase,
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullSeat,
    SkullView,
)
from skull_protocol.tables import TableOptions, TableStage

NAMES = ["Ana", "Bob", "{n}", "[b]Cy[/b]"]


def names(seat: int) -> str:
    return NAMES[seat]


def is_a_line(text: str) -> bool:
    """One short line of whole words, with nothing of the program left in it."""
    return (
        bool(re.fullmatch(r"\S.*[.!]", text))
        and len(text) <= 76
        and "None" not in text
        and "  " not in text
        and not re.search(r"\{(?!n\})", text)
    )


def samples(event: type[SkullEvent]) -> list[SkullEvent]:
    """Every event of a type with each combination of seats, discs and other values."""
    found: list[dict[str, object]] = [{}]
    for field in msgspec.structs.fields(event):
        special: dict[str, list[object]] = {
            "seat": [0, 1, 2], "owner": [0, 1, 2], "starter": [0, 1, 2],
            "disc": ["F", "S", "10h", "Kc"], "agree": [True, False],
            "by": ["points", "last_player"],
        }  # fmt: skip
        values = special.get(field.name, [0, 1, 2])
        if field.name == "disc" and event in (skull.Placed, skull.DiscLost):
            values = [*values, None]
        found = [{**earlier, field.name: value} for earlier in found for value in values]
    if event is skull.StarterNamed:  # whoever names a starter is out, and cannot be it
        found = [one for one in found if one["seat"] != one["starter"]]
    return [msgspec.convert({"type": event.__struct_config__.tag, **one}, event) for one in found]


@pytest.mark.parametrize("event", get_args(SkullEvent), ids=lambda event: event.__name__)
def test_every_event_is_told_to_players_and_spectators(event: type[SkullEvent]) -> None:
    for sample in samples(event):
        for you in (0, 1, 2, None):
            line = wording.event_line(sample, names, you)
            assert is_a_line(line), line
            mine = getattr(sample, "seat", None) == you is not None
            if hasattr(sample, "seat"):
                assert mine == bool(re.match(r"You |The challenge is yours", line)), line
            if you is not None:
                assert NAMES[you] not in line, "nobody is told about themselves"


def test_events_read_like_a_story() -> None:
    def told(event: SkullEvent, you: int | None = None) -> str:
        return wording.event_line(event, names, you)

    assert told(skull.Placed(0, "F"), you=0) == "You place a flower."
    assert told(skull.Placed(1, None), you=0) == "Bob places a disc."
    assert told(skull.BidMade(1, 3)) == "Bob bids 3."
    assert told(skull.Flipped(0, 1, "S")) == "Ana flips Bob's disc: the skull!"
    assert told(skull.Flipped(0, 1, "S"), you=1) == "Ana flips your disc: the skull!"
    assert told(skull.Flipped(0, 0, "7h")) == "Ana flips an own disc: the 7 of hearts, a flower."
    assert told(skull.DiscLost(0, None, 3), you=1) == "Ana loses a disc: 3 left."
    assert told(skull.ChallengeLost(1, 1), you=1) == "You lose the challenge to your own skull."
    assert told(skull.BidMade(2, 1)) == "{n} bids 1.", "a name is never read as a blank"


@pytest.mark.parametrize("you", [None, 0, 1])
def test_a_disc_that_was_not_told_is_not_told_on(you: int | None) -> None:
    for event in (skull.Placed(0, None), skull.DiscLost(0, None, 2)):
        line = wording.event_line(event, names, you)
        assert "skull" not in line
        assert "flower" not in line


# -- prompts -------------------------------------------------------------------------------------


def view(phase: Phase, to_act: tuple[int, ...], **changes: object) -> SkullView:
    seat = SkullSeat(0, 3, (None,), 4, 0, False, False, False, False, False)
    plain = SkullView(phase, 1, 0, to_act, 2, 0, 1, 4, None, None, (seat,) * 4)
    return msgspec.structs.replace(plain, **changes)


def own(**choices: object) -> SkullOwn:
    return SkullOwn(0, ("F",), ("S",), (), msgspec.convert(choices, Choices))


PROMPTS: list[tuple[Phase, dict[str, object], str]] = [
    ("initial", {"place": ["F", "S"]}, "Place your first disc, face down."),
    (
        "turn",
        {"place": ["F"], "bid": [1, 5]},
        "Your turn: place one more disc, or bid 1 to 5.",
    ),
    ("turn", {"bid": [1, 5]}, "Your hand is empty: bid 1 to 5."),
    ("bidding", {"bid": [3, 5], "may_pass": True}, "Your turn: bid 3 to 5, or pass."),
    ("bidding", {"bid": [5, 5], "may_pass": True}, "Your turn: bid 5, or pass."),
    ("challenge", {"flip": [0]}, "Flip your own top disc: 1 flower to go."),
    ("challenge", {"flip": [1, 2]}, "Choose whose top disc to flip: 1 flower to go."),
    ("pick", {"pick": 3}, "Take one of Ana's discs, unseen: it is lost for good."),
    ("lose", {"lose": ["F", "S"]}, "Your own skull: choose in secret which disc to lose."),
    ("name_starter", {"name_starter": [1, 2]}, "You are out: choose who starts the next round."),
    (
        "round_over",
        {"show": [0], "ready": True},
        "Show a disc if you like, or go on to the next round.",
    ),
    ("round_over", {"ready": True}, "Go on to the next round when you are ready."),
]


@pytest.mark.parametrize(("phase", "choices", "expected"), PROMPTS)
def test_what_you_may_do(phase: Phase, choices: dict[str, object], expected: str) -> None:
    assert wording.prompt(view(phase, (0,)), own(**choices), names, 0) == expected


def test_a_vote_on_the_round_alone_does_not_make_it_your_turn() -> None:
    told = wording.prompt(view("turn", (1,)), own(abandon=True), names, 0)
    assert told == "Waiting for Bob to place a disc or to bid."


@pytest.mark.parametrize("phase", [phase for phase in get_args(Phase) if phase != "game_over"])
@pytest.mark.parametrize("you", [None, 0, 3])
def test_whom_we_wait_for(phase: Phase, you: int | None) -> None:
    told = wording.prompt(view(phase, (1,)), own() if you is not None else None, names, you)
    assert is_a_line(told)
    assert "Bob" in told
    assert "Your" not in told


def test_several_are_waited_for_by_name() -> None:
    told = wording.prompt(view("initial", (0, 1, 3)), None, names, None)
    assert told == "Waiting for Ana, Bob and [b]Cy[/b] to place a first disc."


def test_the_starter_is_told_why_they_wait() -> None:
    before = view("initial", (1, 3))
    empty = msgspec.structs.replace(before.seats[0], stack=())
    waiting = msgspec.structs.replace(before, seats=(empty, *before.seats[1:]))
    assert (
        wording.prompt(waiting, own(), names, 0) == "You start, and place after Bob and [b]Cy[/b]."
    )
    assert "You start" not in wording.prompt(before, own(), names, 0), "has placed already"


def test_nobody_to_wait_for_is_still_a_sentence() -> None:
    for phase in get_args(Phase):
        assert is_a_line(wording.prompt(view(phase, ()), None, names, None))


def test_who_won() -> None:
    assert wording.prompt(view("game_over", (), winner=0), own(), names, 0) == "You won the game!"
    assert wording.prompt(view("game_over", (), winner=1), own(), names, 0) == "Bob won the game."


@pytest.mark.parametrize("you", [None, 0, 1, 2])
@pytest.mark.parametrize("owner", [None, 0, 1])
def test_every_outcome_is_told(owner: int | None, you: int | None) -> None:
    for bid in (1, 2):
        assert is_a_line(wording.outcome_line(Outcome(0, bid, owner), names, you))


# -- options -------------------------------------------------------------------------------------


def test_every_option_has_words_and_no_words_are_left_over() -> None:
    assert set(SKULL_OPTIONS) == {field.name for field in msgspec.structs.fields(SkullOptions)}
    table = {field.name for field in msgspec.structs.fields(TableOptions)}
    assert set(TABLE_OPTIONS) == table - {"rules"}


def possible_values(struct: type[msgspec.Struct], field: str) -> list[object]:
    """Every value that the type of a field takes, tried out over a wide net."""
    net = [True, False, *range(-1, 130), "flowers", "random", "starter_last", "together",
           "choose", "left", "discs", "cards", "bot", "forfeit"]  # fmt: skip
    hint = next(one.type for one in msgspec.inspect.type_info(struct).fields if one.name == field)  # type: ignore[attr-defined]
    literals = [
        value
        for part in (hint.types if isinstance(hint, msgspec.inspect.UnionType) else (hint,))
        if isinstance(part, msgspec.inspect.LiteralType)
        for value in part.values
    ]
    assert set(literals) <= set(net), "an option value that this test does not know"
    found: list[object] = []
    tag = struct.__struct_config__.tag
    for value in net:
        try:
            msgspec.convert({field: value} | ({"game": tag} if tag else {}), struct)
        except msgspec.ValidationError:
            continue
        found.append(value)
    return found


@pytest.mark.parametrize(
    ("struct", "field", "words"),
    [
        *((SkullOptions, field, words) for field, words in SKULL_OPTIONS.items()),
        *((TableOptions, field, words) for field, words in TABLE_OPTIONS.items()),
    ],
)
def test_every_option_value_has_words(
    struct: type[msgspec.Struct], field: str, words: OptionWording
) -> None:
    values = possible_values(struct, field)
    assert len(values) >= 2
    assert is_a_line(words.meaning)
    assert len(words.label) <= 16
    told = [option_value(words, value) for value in values]
    assert all(is_a_line(one.meaning) and one.label and len(one.label) <= 14 for one in told)
    assert len({one.label for one in told}) == len(values)


def test_seats_are_counted_from_one_for_people() -> None:
    assert option_value(SKULL_OPTIONS["first_player"], 0).label == "seat 1"


def test_a_value_that_cannot_be_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        option_value(SKULL_OPTIONS["equipment"], "dice")


def test_a_table_says_what_is_unusual_about_it() -> None:
    assert unusual_options(TableOptions()) == ""
    options = TableOptions(rules=SkullOptions(equipment="cards"), turn_seconds=0)
    assert unusual_options(options) == "Play with: cards, Turn clock: off"


def test_every_stage_and_state_of_the_link_has_words() -> None:
    assert all(wording.stage_words(stage) for stage in get_args(TableStage))
    for state in get_args(LinkStatus.__annotations__["state"]):
        banner = link_wording.link_banner(LinkStatus(state))
        assert banner == "" if state == "online" else is_a_line(banner)
    assert link_wording.link_banner(LinkStatus("lost", "Gone.")) == "Gone."
