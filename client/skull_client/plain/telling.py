"""What is told of each arrival: the lines that say what it has changed."""

from collections.abc import Iterator

from skull_client.coaching import advice_words
from skull_client.history_wording import (
    counted_meanings,
    ended_words,
    most_met,
    opponent_cells,
    opponent_head,
    others_words,
    outcome_words,
    totals_words,
    winner_words,
)
from skull_client.link import NAME_TROUBLE, Arrival, LinkStatus
from skull_client.link_wording import link_banner, not_saving
from skull_client.option_wording import unusual_options
from skull_client.plain.doing import Here
from skull_client.plain.standing import looked, notes_here, result, table_lines
from skull_client.state import ClientState, in_order, shows_a_game
from skull_client.talk_wording import said
from skull_client.wording import event_line, say, say_count, stage_words
from skull_protocol import skull
from skull_protocol.pushes import (
    Advice,
    Chat,
    Error,
    GameReview,
    Games,
    Goodbye,
    Lobby,
    LobbyChanged,
    Records,
    ResumeCode,
    Statistics,
    Table,
    Update,
    Welcome,
)
from skull_protocol.tables import PlayerRecord, SeatInfo, TableSummary
from skull_protocol.text import shown

MOST_TABLES = 30
"""Tables that are listed one by one."""


def told(before: ClientState, here: Here, arrival: Arrival) -> Iterator[str]:
    """Tell what an arrival has changed; `here` is how things are after it."""
    match arrival:
        case LinkStatus():
            yield from _link_lines(before, arrival)
        case Welcome(name=name):
            if before.me is None:
                server = here.opening.server_label
                yield say("You are {name}, at {server}.", name=shown(name), server=server)
        case Lobby():
            if before.table is not None or not here.opening.is_here:
                yield say("You are in the lobby.")
                yield from lobby_lines(here)
        case LobbyChanged(changed=changed):
            for summary in changed:
                if summary.code not in before.lobby:
                    yield say("New: {table}", table=_table_line(summary))
        case Table():
            yield from _table_changes(before, here, arrival)
        case Update(events=events):
            if not events and (before.game is None or before.link.state != "online"):
                yield from looked(here)
            for event in events:
                if not isinstance(event, skull.PressedOn):
                    yield event_line(event, here.names, here.state.seat)
        case Advice(seq=seq):
            game, you = here.state.game, here.state.seat
            if game is not None and seq >= here.state.choices_since and you is not None:
                yield advice_words(arrival, game.view, here.names, you)
        case Chat(name=name):
            yield say("{name}: {words}", name=shown(name), words=shown(said(arrival)))
        case Error(message=message):
            yield refused(message)
        case Goodbye(message=message):
            yield message
        case ResumeCode(code=code, seconds=seconds):
            yield say("Your code: {code}", code=code)
            yield say_count(
                max(seconds // 60, 1),
                "It holds for {n} minute, and once: give it with --code, and tell nobody.",
                "It holds for {n} minutes, and once: give it with --code, and tell nobody.",
            )
        case Games():
            yield from _games_lines(here)
        case Records(players=players):
            yield from _records_lines(here, players)
        case Statistics():
            yield from _statistics_lines(here, arrival)
        case GameReview():
            yield from _review_lines(here, arrival)


def refused(sentence: str) -> str:
    """Mark a sentence that says why something was not done."""
    return f"! {sentence}"


def _link_lines(before: ClientState, status: LinkStatus) -> Iterator[str]:
    if status.state == "refused" and status.code in NAME_TROUBLE:
        return  # the prompt says it
    if status.state != "online":
        yield link_banner(status)
        return
    if before.link.state == "lost":
        yield say("You are connected again.")
    if status.detail:
        yield refused(status.detail)


# -- the lobby -------------------------------------------------------------------------------------


def lobby_lines(here: Here) -> Iterator[str]:
    """List the tables, those first with a free seat, or with a game to watch."""
    to_watch = here.opening.looks_for == "watch"
    tables = in_order(here.state.lobby.values(), to_watch=to_watch)
    if to_watch:
        games = sum(map(shows_a_game, tables))
        yield say_count(games, "{n} game to watch.", "{n} games to watch.")
    if not tables:
        yield say("No table here yet.")
    for table in tables[:MOST_TABLES]:
        yield _table_line(table)
    if len(tables) > MOST_TABLES:
        left = len(tables) - MOST_TABLES
        yield say_count(left, "And {n} more table.", "And {n} more tables.")


def _table_line(table: TableSummary) -> str:
    facts = [
        stage_words(table.stage),
        say("{seated} of {all} seats taken", seated=table.seated, all=table.options.max_seats),
    ]
    if table.bots:
        facts.append(say_count(table.bots, "{n} bot", "{n} bots"))
    if table.locked:
        facts.append(say("takes a password"))
    if rules := unusual_options(table.options):
        facts.append(rules)
    return say(
        "Table {code}, host {host}: {facts}.",
        code=table.code,
        host=shown(table.host),
        facts=", ".join(facts),
    )


# -- the table -------------------------------------------------------------------------------------


def _table_changes(before: ClientState, here: Here, table: Table) -> Iterator[str]:
    old = before.table
    if old is None or old.code != table.code:
        if table.stage == "waiting":
            yield from table_lines(here, table)
        return  # of a game, the update that follows tells everything
    if old.saving and not table.saving:
        yield not_saving()
    elif table.saving and not old.saving:
        yield say("The server can save again: the game goes on.")
    if old.options != table.options:
        rules = unusual_options(table.options) or say("the printed ones")
        yield say("The rules are now: {rules}.", rules=rules)
    if old.locked != table.locked:
        yield (
            say("It takes a password now to come in.")
            if table.locked
            else say("It takes no password any more to come in.")
        )
    yield from _people_changes(old, here, table)
    if old.stage == "playing" and table.stage == "finished":
        yield from result(here)


def _people_changes(old: Table, here: Here, table: Table) -> Iterator[str]:
    for seat, info in enumerate(table.seats):
        same = old.seats[seat] if seat < len(old.seats) else None
        if same is None or (same.player, same.name) != (info.player, info.name):
            if table.stage != "playing" or same is None:
                name = shown(info.name)
                yield say("Seat {n}: {name}.", n=seat + 1, name=name)
                continue
            yield _note_line(here, table, seat, info)
        elif _presence(same) != _presence(info):
            yield _note_line(here, table, seat, info)
    for seat in range(len(table.seats), len(old.seats)):
        yield say("Seat {n} is free.", n=seat + 1)
    for watcher in table.watchers:
        if watcher not in old.watchers:
            yield say("{name} watches.", name=shown(watcher.name))
    seated = [info.player for info in table.seats]
    for watcher in old.watchers:
        if watcher not in table.watchers and watcher.player not in seated:
            yield say("{name} no longer watches.", name=shown(watcher.name))
    if old.host != table.host:
        for info in table.seats:
            if info.player == table.host:
                yield say("{name} is the host now.", name=shown(info.name))


def _presence(info: SeatInfo) -> tuple[bool, bool]:
    return info.connected, info.bot_plays


def _note_line(here: Here, table: Table, seat: int, info: SeatInfo) -> str:
    here_words = say("here")
    notes = ", ".join(notes_here(here, table, seat, info)) or here_words
    return say("Seat {n}: {name}, {notes}.", n=seat + 1, name=shown(info.name), notes=notes)


# -- what is over ----------------------------------------------------------------------------------


def _games_lines(here: Here) -> Iterator[str]:
    games = here.state.games
    if here.opening.is_here:
        yield say("Games against bots on this machine are not kept.")
        return
    if games is None or not games.games:
        yield say("No game of yours has ended here yet. Play one, then look again.")
        return
    for number, game in enumerate(games.games, 1):
        yield say(
            "{n}: {ended}, table {code}, you {outcome}, winner {winner}, with {others}.",
            n=number,
            ended=ended_words(game.ended),
            code=game.table,
            outcome=outcome_words(game),
            winner=winner_words(game),
            others=others_words(game),
        )
    if games.more:
        yield say("There are older ones: type {form}.", form="games older")


def _records_lines(here: Here, players: tuple[PlayerRecord, ...]) -> Iterator[str]:
    if here.opening.is_here:
        yield say("Games against bots on this machine are not counted.")
        return
    if not players:
        yield say("No game has ended here yet.")
    for record in players:
        facts = [
            say_count(record.games, "{n} game", "{n} games"),
            say_count(record.wins, "{n} win", "{n} wins"),
            say_count(record.challenges_won, "{n} challenge won", "{n} challenges won"),
            say_count(record.challenges_lost, "{n} challenge lost", "{n} challenges lost"),
            say_count(record.bluffs_caught, "{n} bluff caught", "{n} bluffs caught"),
            say_count(record.skulls_hit, "{n} skull hit by others", "{n} skulls hit by others"),
        ]
        yield say("{name}: {facts}.", name=shown(record.name), facts=", ".join(facts))


def _statistics_lines(here: Here, counted: Statistics) -> Iterator[str]:
    if here.opening.is_here:
        yield say("Games against bots on this machine are not counted.")
        return
    if not counted.games:
        yield say("No game of yours has ended here yet. Play one, then look again.")
        return
    yield from totals_words(counted)
    for met in most_met(counted):
        cells = zip(opponent_head(), opponent_cells(met), strict=True)
        facts = ", ".join(f"{label} {cell}" for label, cell in cells)
        yield say("{name}: {facts}.", name=shown(met.name), facts=facts)
    for line in counted_meanings().splitlines():
        yield line.strip()


def _review_lines(here: Here, review: GameReview) -> Iterator[str]:
    if here.past is None or here.past.game.game != review.game:
        return
    if review.missed:
        yield say("The coach has something to say about this game: type {form}.", form="next mark")
