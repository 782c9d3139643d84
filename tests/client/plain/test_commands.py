"""What may be typed is what may be done: no more, no less, and in every state."""

import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.client.finished import played, told

from skull_client import languages, moments
from skull_client.link import LinkStatus
from skull_client.opening import Opening
from skull_client.plain.commands import commands, type_list, understood
from skull_client.plain.doing import (
    Ask,
    BeSomebody,
    Doing,
    GoTo,
    Here,
    LookBack,
    NotUnderstood,
    Past,
    Quit,
    Tell,
    Wait,
)
from skull_client.plain.options import changed, option_lines
from skull_client.setting_up import VALUES, value_of
from skull_client.settings import Settings
from skull_client.state import ClientState, arrived
from skull_protocol import skull
from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Chat, Lobby, Table, Update, Welcome
from skull_protocol.requests import (
    Act,
    AddBot,
    AskCoach,
    CreateTable,
    JoinTable,
    Mute,
    Say,
    SayPhrase,
)
from skull_protocol.skull import Choices, SkullOwn, SkullSeat, SkullView
from skull_protocol.tables import SeatInfo, TableOptions, WatcherInfo

NAMES = ("Ana", "Ana Lu", "Bob", "7", "Ío", "Cid")
SEATS = tuple(SeatInfo(10 + n, name, True, False) for n, name in enumerate(NAMES))
ONLINE = LinkStatus("online")


def view(**changes: object) -> SkullView:
    seat = SkullSeat(0, 2, (None, None), 4, 0, False, False, False, False, False)
    whole = SkullView("turn", 1, 0, (0,), 0, None, 0, 12, None, None, (seat,) * len(NAMES))
    return SkullView(**{**{f: getattr(whole, f) for f in whole.__struct_fields__}, **changes})


def playing(choices: Choices) -> Here:
    """In a game, with these choices."""
    state = ClientState(link=ONLINE)
    table = Table("BCDF", 10, "playing", 1, TableOptions(), SEATS, (WatcherInfo(99, "Ida"),))
    own = SkullOwn(0, ("F", "7h"), ("F", "S", "Kc", "F"), (), choices)
    for arrival in (
        Welcome(10, "Ana", "", "1", False),
        table,
        Update(7, (), None, view(), own),
        Chat(99, "Ida", "hello"),
    ):
        state = arrived(state, arrival)
    phrases = (*PHRASES, "Aye, captain")
    return Here(state, Opening(server_label="box"), settings=Settings(phrases=phrases))


SOME_SEATS = st.lists(st.integers(0, 5), unique=True).map(tuple)
DISCS = st.lists(st.sampled_from(["F", "S", "7h", "10c", "Kc"]), unique=True).map(tuple)
CHOICES = st.builds(
    Choices,
    place=DISCS,
    bid=st.none() | st.tuples(st.integers(1, 3), st.integers(3, 24)),
    may_pass=st.booleans(),
    flip=SOME_SEATS,
    pick=st.integers(0, 4),
    lose=DISCS,
    name_starter=SOME_SEATS,
    show=st.lists(st.integers(0, 3), unique=True).map(tuple),
    ready=st.booleans(),
    abandon=st.none() | st.booleans(),
)


def typed(action: skull.SkullAction) -> str:
    """How a player types an action."""
    disc = {"F": "flower", "S": "skull"}
    match action:
        case skull.Place(disc=face):
            return f"place {disc.get(face, face)}"
        case skull.Lose(disc=face):
            return f"LOSE {disc.get(face, face)}"
        case skull.Bid(amount=amount):
            return f"bid {amount}"
        case skull.Pass():
            return " pass "
        case skull.Flip(seat=seat):
            return f"flip {NAMES[seat]}"
        case skull.NameStarter(seat=seat):
            return f"starter {NAMES[seat].lower()}"
        case skull.Pick(position=position):
            return f"pick {position + 1}"
        case skull.Show(position=position):
            return f"show {position + 1}"
        case skull.Ready():
            return "ready"
        case skull.Abandon(agree=agree):
            return "abandon" if agree else "continue"


@given(CHOICES)
def test_everything_that_may_be_done_can_be_typed(choices: Choices) -> None:
    here = playing(choices)
    for action in choices.actions():
        assert understood(here, typed(action)) == Ask(Act, {"seq": 7, "action": action})


ANY_ACTION = st.one_of(
    st.sampled_from([skull.Pass(), skull.Ready(), skull.Abandon(True), skull.Abandon(False)]),
    st.builds(skull.Place, st.sampled_from(["F", "S", "7h"])),
    st.builds(skull.Lose, st.sampled_from(["F", "S"])),
    st.builds(skull.Flip, st.integers(0, 5)),
    st.builds(skull.NameStarter, st.integers(0, 5)),
    st.builds(skull.Pick, st.integers(0, 3)),
    st.builds(skull.Show, st.integers(0, 3)),
)


@given(CHOICES, ANY_ACTION)
def test_what_may_not_be_done_gets_a_sentence(choices: Choices, action: skull.SkullAction) -> None:
    if action not in choices.actions():
        with pytest.raises(NotUnderstood, match=r"[Tt]ype"):
            understood(playing(choices), typed(action))


@given(CHOICES)
def test_what_the_prompt_names_can_be_typed_as_it_stands(choices: Choices) -> None:
    here = playing(choices)
    for form in type_list(commands(here)).split(", "):
        if not form.startswith("bid "):
            understood(here, form)


def test_seats_are_named_or_numbered() -> None:
    here = playing(Choices(flip=(1, 2, 3)))

    def flipped(line: str) -> object:
        doing = understood(here, line)
        assert isinstance(doing, Ask)
        return doing.fields["action"]

    assert flipped("flip ana lu") == skull.Flip(1)
    assert flipped("flip b") == skull.Flip(2)
    assert flipped("flip 2") == skull.Flip(1)
    assert flipped("flip 7") == skull.Flip(3)
    for wrong in ("flip", "flip 1", "flip Cid", "flip 0", "flip ²"):
        with pytest.raises(NotUnderstood, match="flip Ana Lu or flip Bob or flip 7"):
            understood(here, wrong)


def test_talk() -> None:
    here = playing(Choices())
    assert understood(here, "say  I know, [b]you[/b]") == Ask(Say, {"text": "I know, [b]you[/b]"})
    assert understood(here, "phrase 8") == Ask(SayPhrase, {"phrase": "nice_bluff"})
    assert understood(here, "phrase 13") == Ask(Say, {"text": "Aye, captain"})
    listed = understood(here, "phrase")
    assert isinstance(listed, Tell)
    assert (listed.lines[7], listed.lines[12]) == ("8: Nice bluff!", "13: Aye, captain")
    for wrong in ("phrase 0", "phrase 14", "phrase x", "phrase 0000019999", "say"):
        with pytest.raises(NotUnderstood):
            understood(here, wrong)


def test_people_are_named_the_longest_name_first() -> None:
    here = playing(Choices())
    muting = understood(here, "mute ana lu")
    assert isinstance(muting, Ask)
    assert (muting.request, muting.fields) == (Mute, {"player": 11, "muted": True})
    ida = understood(here, "mute IDA")
    assert isinstance(ida, Ask)
    assert ida.fields["player"] == 99
    with pytest.raises(NotUnderstood, match="Ana Lu, Bob, 7, Ío, Cid, Ida"):
        understood(here, "mute Zoe")
    with pytest.raises(NotUnderstood, match="for good"):
        understood(here, "remove Bob")


def test_what_costs_something_is_typed_in_full() -> None:
    here = playing(Choices())
    with pytest.raises(NotUnderstood, match=r"A bot takes over .* type leave for good"):
        understood(here, "leave")
    assert isinstance(understood(here, "leave for good"), Ask)


def lobby() -> Here:
    state = arrived(ClientState(link=ONLINE), Welcome(10, "Ana", "", "1", False))
    return Here(arrived(state, Lobby(())), Opening(server_label="box"))


def test_the_lobby() -> None:
    assert understood(lobby(), "join bcdf") == Ask(JoinTable, {"code": "BCDF", "password": None})
    assert understood(lobby(), "join BCDF open sesame") == Ask(
        JoinTable, {"code": "BCDF", "password": "open sesame"}
    )
    new = understood(lobby(), "new turn_seconds=30 first_player=2 password=a b=c")
    options = changed(TableOptions(), ["turn_seconds=30", "first_player=2"])
    assert new == Ask(CreateTable, {"options": options, "password": "a b=c"})
    assert options.rules.first_player == 1
    for wrong in (
        "join",
        "join abcd",
        "new turn=30",
        "new practice=maybe",
        "join BCDF " + "x" * 65,
    ):
        with pytest.raises(NotUnderstood):
            understood(lobby(), wrong)
    with pytest.raises(NotUnderstood, match=r"More players needed"):
        understood(lobby(), "new min_seats=6 max_seats=2")


GAME, STEPS = told(played(3))


def past(at: int = 0) -> Here:
    """In the lobby, with a finished game before one's eyes."""
    return replace(lobby(), past=Past(GAME, STEPS, at))


def test_a_finished_game_is_gone_through() -> None:
    last = len(STEPS) - 1
    assert understood(lobby(), "replay 3") == LookBack(3, "go through")
    assert understood(past(), "step") == GoTo(1)
    assert understood(past(5), "step back") == GoTo(4)
    assert understood(past(5), f"step {last + 1}") == GoTo(last)
    rounds, challenges = moments.rounds(STEPS), moments.challenges(STEPS)
    assert understood(past(), "next round") == GoTo(rounds[1])
    assert understood(past(challenges[0]), "next chal") == GoTo(challenges[1])
    looked = understood(past(challenges[0]), "look")
    assert isinstance(looked, Tell)
    assert looked.lines[0] == "Round 1."
    for here, wrong in (
        (lobby(), "step"),
        (past(), "step back"),
        (past(last), "step"),
        (past(), "step 0"),
        (past(), f"step {last + 2}"),
        (past(), "step ²"),
        (past(), "next"),
        (past(), "next mark"),
        (past(last), "next round"),
        (past(last), "next challenge"),
        (lobby(), "replay"),
    ):
        with pytest.raises(NotUnderstood):
            understood(here, wrong)


def test_every_value_of_every_option_can_be_typed() -> None:
    options = TableOptions()
    for field, values in VALUES.items():
        for value in values:
            text = str(value)
            if isinstance(value, bool):
                text = "on" if value else "off"
            elif field == "first_player" and isinstance(value, int):
                text = str(value + 1)
            if field == "min_seats":
                typed = [f"max_seats=6 {field}={text}"]
            else:
                typed = [f"min_seats=2 {field}={text}"]
            made = changed(options, " ".join(typed).split())
            assert value_of(made, field) == value
    assert len(option_lines(options)) == len(VALUES)


def test_before_one_is_let_in() -> None:
    here = Here(ClientState(), Opening())
    assert understood(here, "name Ana  Lu") == BeSomebody(name="Ana Lu")
    assert understood(here, "code abc-1") == BeSomebody(code="abc-1")
    with pytest.raises(NotUnderstood, match="letter or a digit"):
        understood(here, "name ---")


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_any_line_is_understood_or_gets_a_sentence(language: str) -> None:
    languages.use(language)
    dice = random.Random(5)
    words = sorted({command.word for here in places() for command in commands(here)})
    rest = ["", "1", "-1", "x" * 3000, "\x1b[2J", "NAME", "ana", "²", "for good", "=", "{n}"]
    choices = Choices(place=("F",), bid=(1, 4), flip=(1,), pick=2, ready=True, abandon=True)
    for here in (*places(), playing(choices)):
        for word in [*words, "", "{0}", "\u202e", "[b]"]:
            for tail in rest:
                line = f"{word} {tail}" if dice.random() < 0.8 else f"{word[:2]}{tail}"
                sentence = refusal(here, line)
                assert sentence is None or (sentence and "\x1b" not in sentence)


def refusal(here: Here, line: str) -> str | None:
    """The sentence that a line gets which is not understood."""
    try:
        doing: Doing = understood(here, line)
    except NotUnderstood as fault:
        return str(fault)
    assert isinstance(doing, Doing)
    return None


def test_help_tells_everything_that_may_be_typed() -> None:
    here = playing(Choices(place=("F",)))
    helping = understood(here, "help")
    assert isinstance(helping, Tell)
    told = "\n".join(helping.lines)
    for command in commands(here):
        assert command.word == "help" or command.forms[0] in told
    assert isinstance(understood(here, "q"), Quit)
    assert isinstance(understood(here, "wait"), Wait)


def test_for_a_game_here_nothing_is_offered_that_needs_others() -> None:
    here = playing(Choices())
    there = {command.word for command in commands(here)}
    alone = replace(here, opening=Opening(bots=2, start_now=True))
    assert "code" in there
    assert "code" not in {command.word for command in commands(alone)}


def coached(choices: Choices, seats: tuple[SeatInfo, ...], *, yours: bool = True) -> Here:
    """At a table with a coach, in the middle of a game."""
    here = playing(choices)
    table, game = here.state.table, here.state.game
    assert table is not None
    assert game is not None
    options = TableOptions(coach=True)
    table = msgspec.structs.replace(table, options=options, seats=seats, watchers=())
    game = msgspec.structs.replace(game, view=view(to_act=(0,) if yours else (1,)))
    return replace(here, state=replace(here.state, table=table, game=game))


def test_the_coach_is_asked_or_says_why_not() -> None:
    bots = tuple(SeatInfo(None, f"Bot {n}", True, False, level="hard") for n in range(5))
    mine = Choices(place=("F",))
    assert understood(coached(mine, (SEATS[0], *bots)), "coach") == Ask(AskCoach)
    with pytest.raises(NotUnderstood, match="waits for your turn"):
        understood(coached(Choices(), (SEATS[0], *bots), yours=False), "coach")
    with pytest.raises(NotUnderstood, match="Others are here"):
        understood(coached(mine, SEATS), "coach")
    with pytest.raises(NotUnderstood, match="nothing that can be done now"):
        understood(playing(mine), "coach")


def test_a_bot_is_added_with_or_without_a_level() -> None:
    here = playing(Choices())
    table = here.state.table
    assert table is not None
    waiting = msgspec.structs.replace(table, stage="waiting", seats=SEATS[:2])
    here = replace(here, state=replace(here.state, table=waiting))
    assert understood(here, "bot") == Ask(AddBot)
    for level in ("easy", "normal", "hard"):
        assert understood(here, f"bot {level}") == Ask(AddBot, {"level": level})
    with pytest.raises(NotUnderstood, match="bot easy or bot normal or bot hard"):
        understood(here, "bot nasty")


def places() -> list[Here]:
    """Wherever one can be; together they have every word there is."""
    everything = Choices(
        place=("F",), bid=(1, 2), may_pass=True, flip=(1,), pick=1, lose=("F",), name_starter=(1,),
        show=(0,), ready=True, abandon=True,
    )  # fmt: skip
    here = playing(everything)
    table = here.state.table
    assert table is not None
    bots = (*SEATS[:2], SeatInfo(None, "Bot Ana", True, False))
    seats = msgspec.structs.replace(table, stage="finished", seats=bots)
    waiting = replace(here, state=replace(here.state, table=seats))
    watching = replace(waiting, state=replace(waiting.state, me=Welcome(50, "W", "", "1", False)))
    taken = msgspec.structs.replace(SEATS[0], bot_plays=True)
    replaced = msgspec.structs.replace(table, seats=(taken, *SEATS[1:]))
    absent = replace(here, state=replace(here.state, table=replaced))
    start = Here(ClientState(), Opening(), begins=True, settings=Settings(servers=("box",)))
    learning = replace(here, learning=True)
    learned = replace(learning, state=arrived(here.state, Update(9, (), None, view(round=2), None)))
    return [
        *(here, playing(Choices(abandon=False)), waiting, watching, absent, past(), lobby()),
        *(Here(ClientState(), Opening(), leads_back=True), coached(Choices(place=("F",)), SEATS)),
        *(start, learning, learned),
    ]


def test_the_page_about_line_mode_names_every_word() -> None:
    page = (Path(__file__).parents[3] / "docs" / "line-mode.md").read_text(encoding="utf-8")
    words = {command.word for place in places() for command in commands(place)}
    assert len(words) > 35
    named = set(re.findall(r"`([a-z]+)[ `\[]", page))
    assert words - named == set()
