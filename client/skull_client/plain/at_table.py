"""What may be typed at a table beside the game: talk, people, seats, bots, options, leaving."""

from collections.abc import Callable

from skull_client.option_wording import LEVELS
from skull_client.people import Person, about_removing, leaving_costs, people
from skull_client.plain.anywhere import nothing_behind
from skull_client.plain.doing import Ask, Command, Doing, Here, NotUnderstood, Tell
from skull_client.plain.in_lobby import typed_password
from skull_client.plain.options import changed, option_lines
from skull_client.plain.standing import looked, result, story
from skull_client.state import has_left, is_bot
from skull_client.talk_wording import phrase_text
from skull_client.typed import number_in
from skull_client.wording import say
from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Table
from skull_protocol.requests import (
    AddBot,
    AnswerFlowers,
    ChangeOptions,
    HandToBot,
    LeaveTable,
    Mute,
    RemoveBot,
    RemovePlayer,
    Say,
    SayPhrase,
    SetPassword,
    StartGame,
    TakeSeat,
)

FOR_GOOD = "for good"
"""What is typed behind a word that cannot be undone."""
MOST_DAYS = 36_500


def at_table(here: Here) -> list[Command]:
    """List what may be typed at the table one is at."""
    table = here.state.table
    assert table is not None
    found = [] if table.stage == "playing" else _before_a_game(here, table)
    return [*found, *_any_time(here, table)]


def seated(table: Table) -> int:
    """How many sit at the table, and would play in the next game."""
    return sum(not has_left(info) for info in table.seats)


def _before_a_game(here: Here, table: Table) -> list[Command]:
    state, found = here.state, []
    room = seated(table) < table.options.max_seats
    if state.seat is None and room:
        found.append(_alone("seat", say("take a seat"), Ask(TakeSeat), asked=True))
    if state.is_host:
        found += _hosting(table, room)
    if state.seat is not None and table.options.rules.first_player == "flowers":
        found.append(
            Command(
                "flowers",
                ("flowers DAYS", "flowers never"),
                say("say how many days ago you last gave somebody flowers: the latest starts"),
                _flowers,
            )
        )
    if table.stage == "finished" and state.game is not None:
        lines = (*result(here), *story(here))
        found.append(_alone("result", say("tell the result, and each challenge"), Tell(lines)))
    return found


def _hosting(table: Table, room: bool) -> list[Command]:
    bots = [seat for seat, info in enumerate(table.seats) if is_bot(info)]
    enough = seated(table) >= table.options.min_seats
    found = [_alone("start", say("start the game"), Ask(StartGame), asked=enough)]
    if room:
        forms = ("bot", *(f"bot {level}" for level in LEVELS))
        meanings = ", ".join(
            say("{level}: {meaning}", level=level, meaning=say(words.meaning))
            for level, words in LEVELS.items()
        )
        words = say("seat a bot ({meanings})", meanings=meanings)
        found.append(Command("bot", forms, words, _bot, asked=True))
    if bots:
        forms = tuple(f"drop {seat + 1}" for seat in bots)

        def drop(rest: str) -> Doing:
            for form, seat in zip(forms, bots, strict=True):
                if form == f"drop {rest}":
                    return Ask(RemoveBot, {"seat": seat})
            raise NotUnderstood(say("Type {form}.", form=say(" or ").join(forms)))

        found.append(Command("drop", forms, say("send the bot in this seat away"), drop))
    return [
        *found,
        Command(
            "set",
            ("set NAME=VALUE",),
            say("change an option of the table"),
            lambda rest: Ask(ChangeOptions, {"options": changed(table.options, rest.split())}),
        ),
        Command(
            "password",
            ("password", "password WORD"),
            say("set the password that it takes to come in; without a word, none"),
            lambda rest: Ask(
                SetPassword, {"password": typed_password(rest)}, say("The password is set.")
            ),
        ),
    ]


def _any_time(here: Here, table: Table) -> list[Command]:
    listed = [
        say("{n}: {words}", n=number, words=phrase_text(phrase))
        for number, phrase in enumerate(here.phrases, 1)
    ]
    phrases = Command(
        "phrase",
        ("phrase N",),
        say("say one of the quick phrases; without a number, list them"),
        lambda rest: _phrase(here, rest) if rest else Tell(tuple(listed)),
    )
    look = _alone("look", say("tell how everything stands"), Tell(tuple(looked(here))))
    options = tuple(option_lines(table.options))
    return [
        look,
        Command("say", ("say WORDS",), say("say something to everybody here"), _say),
        phrases,
        *_about_people(here, table),
        _alone("options", say("tell the options of this table"), Tell(options)),
        Command("leave", ("leave",), say("go back to the lobby"), lambda rest: _leave(here, rest)),
    ]


def _about_people(here: Here, table: Table) -> list[Command]:
    state = here.state
    found = [
        _person(here, "mute", say("no longer be told what somebody says"), _mute(muted=True)),
        _person(here, "hear", say("be told again what somebody says"), _mute(muted=False)),
    ]
    if state.is_host:
        if table.stage == "playing":
            meaning = say("have a bot play for somebody until they take their seat back")
            found.append(
                _person(
                    here, "replace", meaning, lambda who, _: Ask(HandToBot, {"player": who.player})
                )
            )

        def remove(person: Person, rest: str) -> Doing:
            if rest != FOR_GOOD:
                form = f"remove {person.name} {FOR_GOOD}"
                costs = about_removing(table, person)
                raise NotUnderstood(say("{costs} To do it, type {form}.", costs=costs, form=form))
            return Ask(RemovePlayer, {"player": person.player})

        found.append(_person(here, "remove", say("send somebody away"), remove))
    return found


def _person(here: Here, word: str, meaning: str, doing: Callable[[Person, str], Doing]) -> Command:
    def take(rest: str) -> Doing:
        # The longest name first: one may begin like another.
        others = [who for who in people(here.state) if who.player not in (None, _me(here))]
        for who in sorted(others, key=lambda who: -len(who.name)):
            name, typed = who.name.casefold(), rest.casefold()
            if typed == name or typed.startswith(f"{name} "):
                return doing(who, rest[len(name) :].strip())
        names = ", ".join(who.name for who in others) or say("nobody")
        raise NotUnderstood(say("Type {word} and a name; here is {names}.", word=word, names=names))

    return Command(word, (f"{word} NAME",), meaning, take)


def _me(here: Here) -> int | None:
    return None if here.state.me is None else here.state.me.player


def _mute(*, muted: bool) -> Callable[[Person, str], Doing]:
    def doing(who: Person, _rest: str) -> Doing:
        assert who.player is not None
        done = (
            say("You no longer hear {name}.", name=who.name)
            if muted
            else say("You hear {name} again.", name=who.name)
        )
        return Ask(Mute, {"player": who.player, "muted": muted}, done, (who.player, muted))

    return doing


def _bot(rest: str) -> Doing:
    if rest and rest not in LEVELS:
        form = say(" or ").join(f"bot {level}" for level in LEVELS)
        raise NotUnderstood(say("Type {form}.", form=form))
    return Ask(AddBot, {"level": rest} if rest else {})


def _flowers(rest: str) -> Doing:
    done = say("Your answer is noted.")
    if rest == "never":
        return Ask(AnswerFlowers, {"days": None}, done)
    days = number_in(range(MOST_DAYS + 1), rest)
    if days is None:
        raise NotUnderstood(say("Type {form}.", form="flowers 0, flowers 7, flowers never"))
    return Ask(AnswerFlowers, {"days": days}, done)


def _say(rest: str) -> Doing:
    if not rest:
        raise NotUnderstood(say("Type {form}.", form="say WORDS"))
    return Ask(Say, {"text": rest[:400]})


def _phrase(here: Here, rest: str) -> Doing:
    number = number_in(range(1, len(here.phrases) + 1), rest)
    if number is None:
        form = say("phrase 1 to {n}", n=len(here.phrases))
        raise NotUnderstood(say("Type {form}.", form=form))
    phrase = here.phrases[number - 1]
    if phrase in PHRASES:
        return Ask(SayPhrase, {"phrase": phrase})
    return Ask(Say, {"text": phrase})


def _leave(here: Here, rest: str) -> Doing:
    costs = leaving_costs(here.state)
    if costs and rest != FOR_GOOD:
        form = f"leave {FOR_GOOD}"
        raise NotUnderstood(say("{costs} To do it, type {form}.", costs=costs, form=form))
    return Ask(LeaveTable)


def _alone(word: str, meaning: str, doing: Doing, *, asked: bool = False) -> Command:
    return Command(word, (word,), meaning, nothing_behind(word, doing), asked=asked)
