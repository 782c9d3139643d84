"""How everything stands at the table, told in full: on arriving, and whenever it is asked for."""

from collections.abc import Iterator

from skull_client.chronicle import challenges, is_whole, last_game
from skull_client.chronicle_wording import challenge_line
from skull_client.option_wording import unusual_options
from skull_client.people import seat_notes
from skull_client.plain.doing import Here
from skull_client.wording import (
    Names,
    disc_words,
    name_list,
    prompt,
    say,
    say_count,
    standing_words,
    winner_line,
)
from skull_protocol.pushes import Table
from skull_protocol.skull import Disc, SkullOwn, SkullSeat, SkullView
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown


def looked(here: Here) -> Iterator[str]:
    """Tell where the player is, who is there, and how the game stands."""
    state = here.state
    if state.table is None:
        return
    yield from table_lines(here, state.table)
    if state.game is not None and state.table.stage != "waiting":
        yield from game_lines(state.game.view, state.game.you, here.names)
        if here.seconds_left is not None:
            yield say("{n} s left", n=here.seconds_left)


def table_lines(here: Here, table: Table) -> Iterator[str]:
    """Tell about the table: its code, its rules, who is here."""
    words = unusual_options(table.options) or say("the printed ones")
    yield say("You are at table {code}. Rules: {rules}.", code=table.code, rules=words)
    if table.stage == "waiting" and not here.opening.is_here:
        command = f"{here.opening.command} --table {table.code}"
        if table.locked:
            yield say("Friends join with the password, and with: {command}", command=command)
        else:
            yield say("Friends join with: {command}", command=command)
    for seat, info in enumerate(table.seats):
        notes = notes_here(here, table, seat, info)
        name = shown(info.name)
        if notes:
            yield say("Seat {n}: {name}, {notes}.", n=seat + 1, name=name, notes=", ".join(notes))
        else:
            yield say("Seat {n}: {name}.", n=seat + 1, name=name)
    if table.watchers:
        names = name_list(shown(info.name) for info in table.watchers)
        yield say("Watching: {names}.", names=names)


def notes_here(here: Here, table: Table, seat: int, info: SeatInfo) -> list[str]:
    """Tell in a word each what is worth knowing about who sits in a seat, muted ones too."""
    notes = seat_notes(here.state, table, seat, info)
    if info.player in here.muted:
        notes.append(say("muted"))
    return notes


def game_lines(view: SkullView, own: SkullOwn | None, names: Names) -> Iterator[str]:
    """Tell how a game stands; `own` is what the reader alone knows, None for a spectator."""
    if view.round:
        yield say("Round {n}.", n=view.round)
    else:
        yield say("Practice round, does not count.")
    for seat, info in enumerate(view.seats):
        yield _seat_line(names(seat), info)
    if view.bidder is not None:
        yield say("Highest bid: {amount}, by {name}.", amount=view.bid, name=names(view.bidder))
    if own is not None:
        yield say("Your hand: {discs}.", discs=_discs(own.hand))
        yield say("Your stack, from the bottom: {discs}.", discs=_discs(own.stack))
        if own.lost:
            yield say("You have lost {discs}.", discs=_discs(own.lost))
    yield prompt(view, own, names, None if own is None else own.seat)


def _discs(discs: tuple[Disc, ...]) -> str:
    return name_list(map(disc_words, discs)) or say("nothing")


def _seat_line(name: str, seat: SkullSeat) -> str:
    if seat.eliminated:
        return say("{name} is out.", name=name)
    facts = [
        say_count(seat.hand, "{n} disc in hand", "{n} discs in hand"),
        say_count(len(seat.stack), "{n} disc on the mat", "{n} discs on the mat"),
    ]
    if any(seat.stack):
        faces = [disc_words(disc) if disc else say("face down") for disc in seat.stack]
        facts.append(say("from the bottom {faces}", faces=name_list(faces)))
    if seat.points:
        facts.append(say_count(seat.points, "{n} point", "{n} points"))
    if seat.bid:
        facts.append(say("bid {n}", n=seat.bid))
    if seat.passed:
        facts.append(say("passed"))
    if seat.last_chance:
        facts.append(say("holds the Last Chance flower"))
    if seat.ready:
        facts.append(say("ready"))
    if seat.agrees:
        facts.append(say("asks to take the round back"))
    return say("{name}: {facts}.", name=name, facts=", ".join(facts))


def story(here: Here) -> Iterator[str]:
    """Tell each challenge of the game that is over: who bid, how it ended, who bluffed."""
    events = last_game(here.state.story)
    own = None if here.state.game is None else here.state.game.you
    if not is_whole(events):
        yield say("What happened before you came is not known.")
    told = challenges(events)
    for challenge in told:
        number = challenge.round
        words = challenge_line(challenge, here.names, None if own is None else own.seat)
        when = say("Round {n}", n=number) if number else say("Practice round")
        yield say("{name}: {words}", name=when, words=words)
    if not told:
        yield say("No challenge was decided.")


def result(here: Here) -> Iterator[str]:
    """Tell how the game ended."""
    game = here.state.game
    if game is None:
        return
    own = game.you
    yield winner_line(game.view, here.names, None if own is None else own.seat)
    yield say("At the end: {standing}.", standing=standing_words(game.view, here.names))
