"""Which request does what: one table, to be read from top to bottom."""

from skull_protocol.errors import Refusal
from skull_protocol.requests import (
    Act,
    AddBot,
    AnswerFlowers,
    ChangeOptions,
    CreateTable,
    Hello,
    JoinTable,
    LeaveTable,
    Ping,
    RemoveBot,
    Request,
    Say,
    StartGame,
    TakeSeat,
    WatchTable,
)
from skull_server.lobby import Lobby
from skull_server.sessions import Session


def carry_out(request: Request, session: Session, lobby: Lobby) -> None:
    """Do what a player asks. Raises `Refusal`; then nothing has changed."""
    match request:
        case Ping():
            pass
        case Act(seq=seq, action=action):
            lobby.table_of(session).act(session, seq, action)
        case Say(text=text):
            lobby.table_of(session).say(session, text)
        case CreateTable(options=options):
            lobby.create(session, options)
        case JoinTable(code=code):
            lobby.join(session, code)
        case WatchTable(code=code):
            lobby.watch(session, code)
        case TakeSeat():
            lobby.table_of(session).take_seat(session)
        case LeaveTable():
            lobby.leave(session)
        case ChangeOptions(options=options):
            lobby.table_of(session).change_options(session, options)
        case AddBot():
            lobby.table_of(session).add_bot(session)
        case RemoveBot(seat=seat):
            lobby.table_of(session).remove_bot(session, seat)
        case AnswerFlowers(days=days):
            lobby.table_of(session).answer_flowers(session, days)
        case StartGame():
            lobby.table_of(session).start(session)
        case Hello():
            raise Refusal("bad_message", "You have said hello already: ask for something else.")
        case _:
            raise NotImplementedError(type(request).__name__)
