"""Which request does what: one table, to be read from top to bottom."""

from skull_protocol.errors import Refusal
from skull_protocol.requests import (
    Act,
    AddBot,
    AnswerFlowers,
    AskCoach,
    AskStatistics,
    ChangeOptions,
    CreateTable,
    GetGame,
    HandToBot,
    Hello,
    JoinTable,
    LeaveTable,
    ListGames,
    ListRecords,
    Mute,
    Peek,
    Ping,
    RemoveBot,
    RemovePlayer,
    Request,
    ReviewGame,
    Say,
    SayPhrase,
    SetPassword,
    StartGame,
    TakeBack,
    TakeSeat,
    WatchTable,
)
from skull_server.history import History
from skull_server.lobby import Lobby
from skull_server.sessions import Session

LOOKS: frozenset[type[Request]] = frozenset(
    (Ping, Peek, ListGames, GetGame, ListRecords, AskStatistics, AskCoach, ReviewGame)
)
"""Requests that change nothing: asked again after a lost connection, they are answered anew."""


def carry_out(request: Request, session: Session, lobby: Lobby, history: History) -> None:
    """Do what a player asks. Raises `Refusal`; then nothing has changed."""
    match request:
        case Ping():
            pass
        case Act(seq=seq, action=action):
            lobby.table_of(session).act(session, seq, action)
        case Say(text=text):
            lobby.table_of(session).say(session, text)
        case SayPhrase(phrase=phrase):
            lobby.table_of(session).say_phrase(session, phrase)
        case CreateTable(options=options, password=password):
            lobby.create(session, options, password)
        case JoinTable(code=code, password=password):
            lobby.join(session, code, password)
        case WatchTable(code=code, password=password):
            lobby.watch(session, code, password)
        case TakeSeat():
            lobby.table_of(session).take_seat(session)
        case LeaveTable():
            lobby.leave(session)
        case ChangeOptions(options=options):
            lobby.change_options(session, options)
        case SetPassword(password=password):
            lobby.table_of(session).set_password(session, password)
        case RemovePlayer(player=player):
            lobby.remove(session, player)
        case HandToBot(player=player):
            lobby.table_of(session).hand_to_bot(session, player)
        case TakeBack():
            lobby.table_of(session).take_back(session)
        case Mute(player=player, muted=muted):
            lobby.table_of(session).mute(session, player, muted)
        case AddBot(level=level):
            lobby.table_of(session).add_bot(session, level)
        case RemoveBot(seat=seat):
            lobby.table_of(session).remove_bot(session, seat)
        case AnswerFlowers(days=days):
            lobby.table_of(session).answer_flowers(session, days)
        case StartGame():
            lobby.table_of(session).start(session)
        case ListGames(before=before):
            session.tell(history.games(session.id, before))
        case GetGame(game=game, first=first):
            session.tell(history.steps(session.id, game, first))
        case AskCoach():
            lobby.table_of(session).ask_coach(session)
        case ReviewGame(game=game):
            history.review(session.id, game, session.tell)
        case ListRecords():
            session.tell(history.records())
        case AskStatistics():
            session.tell(history.statistics(session.id))
        case Hello():
            raise Refusal("bad_message", "You have said hello already: ask for something else.")
        case _:
            raise NotImplementedError(type(request).__name__)
