"""The stable codes of everything that can be refused, each with what it means.

A code is for programs; the sentence sent beside it is for people and says what to do next.
"""

from typing import Final, Literal, get_args

ErrorCode = Literal[
    # The connection
    "bad_frame",
    "bad_message",
    "hello_first",
    "hello_timeout",
    "version_mismatch",
    "tls_needed",
    "too_fast",
    "too_many_connections",
    "server_full",
    "internal",
    # Who somebody is
    "bad_name",
    "name_taken",
    "bad_token",
    "bad_code",
    "too_many_tries",
    # Tables
    "no_such_table",
    "not_at_table",
    "already_at_table",
    "table_full",
    "too_many_tables",
    "too_many_watchers",
    "game_running",
    "no_game",
    "not_host",
    "not_seated",
    "already_seated",
    "not_a_bot",
    "too_few_players",
    "bad_options",
    "bad_text",
    "bad_password",
    "removed",
    "no_watching",
    "no_chat",
    "too_much_chat",
    "no_such_player",
    "not_replaced",
    "no_coach",
    # What is kept
    "cannot_save",
    "no_such_game",
    # The game
    "stale",
    "not_your_turn",
    "wrong_phase",
    "bid_out_of_range",
    "bid_too_low",
    "must_bid",
    "cannot_pass",
    "not_in_hand",
    "own_stack_first",
    "nothing_to_flip",
    "out_of_range",
    "eliminated",
]
"""Every code an `error` can carry."""

MEANINGS: Final[dict[ErrorCode, str]] = {
    "bad_frame": "No frame: too long, not msgpack, or not one map. Connection closed.",
    "bad_message": "The map is no message: unknown type, missing or extra field, or wrong value.",
    "hello_first": "Something else came before `hello`. Connection closed.",
    "hello_timeout": "No `hello` in time. Connection closed.",
    "version_mismatch": "The two sides speak different protocol versions. Connection closed.",
    "tls_needed": "The server speaks TLS on this port, and the client does not. Connection closed.",
    "too_fast": "Too many requests in a short time. Connection closed.",
    "too_many_connections": "Too many connections from one address. Connection closed.",
    "server_full": "The server has as many players as it takes. Connection closed.",
    "internal": "The server made a mistake; the request changed nothing.",
    "bad_name": "The name cannot be shown safely, or is empty or too long.",
    "name_taken": "Somebody here has that name, or one that looks like it.",
    "bad_token": "The token is unknown or used up; say `hello` without one.",
    "bad_code": "The short code is unknown, used or too old.",
    "too_many_tries": "Too many wrong passwords or codes; wait before the next try.",
    "no_such_table": "No table has that code.",
    "not_at_table": "The request needs a table, and the sender is at none.",
    "already_at_table": "The sender is at a table already; leave it first.",
    "table_full": "Every seat is taken.",
    "too_many_tables": "The server has as many tables as it takes.",
    "too_many_watchers": "As many people watch this table as may.",
    "game_running": "It must wait until the game is over.",
    "no_game": "No game is being played at this table.",
    "not_host": "Only the host may do that.",
    "not_seated": "The sender watches; only a seated player may do that.",
    "already_seated": "The sender has a seat already.",
    "not_a_bot": "No bot sits there.",
    "too_few_players": "Fewer players are seated than the table's options ask for.",
    "bad_options": "The options contradict each other or the seats taken.",
    "bad_text": "The text cannot be shown safely, or is empty or too long.",
    "bad_password": "The table has a password, and it is not that one.",
    "removed": "The host removed the sender, or somebody of that name, from this table.",
    "no_watching": "This table takes no watchers.",
    "no_chat": "Watchers may not talk at this table.",
    "too_much_chat": "Too much was said in a short time; wait a moment.",
    "no_such_player": "Nobody by that number is at this table.",
    "not_replaced": "No bot plays the sender's seat.",
    "no_coach": "There is advice only alone with bots, where the table's options allow it.",
    "cannot_save": "The server cannot save just now, so nothing was changed; try again later.",
    "no_such_game": "The sender played no finished game with that number.",
    "stale": "The action was made on an older state; look again.",
    "not_your_turn": "Somebody else is to act.",
    "wrong_phase": "The action does not belong to this moment of the game.",
    "bid_out_of_range": "The bid is below 1 or above the number of discs on all mats.",
    "bid_too_low": "The bid is not above the highest bid.",
    "must_bid": "No disc in hand: the player must bid.",
    "cannot_pass": "Nothing to pass on: there is no bid yet, or it is the player's own.",
    "not_in_hand": "The player does not hold that disc.",
    "own_stack_first": "The challenger flips the own stack first.",
    "nothing_to_flip": "No face-down disc there.",
    "out_of_range": "That choice is not among the ones offered.",
    "eliminated": "The player is out of the game.",
}

assert set(MEANINGS) == set(get_args(ErrorCode))


def msg(sentence: str) -> str:
    """Mark a sentence that is told later, so that it is found for translation."""
    return sentence


class Worded(Exception):  # noqa: N818 - the base of what says something, not of faults
    """Something to be told to people: a sentence, whose blanks `{name}` are filled by values.

    Sentence and values travel apart as well, so that a client can say the same in another language.
    """

    def __init__(self, form: str, /, **blanks: object) -> None:
        self.form = form
        """The sentence with its blanks."""
        self.blanks = {name: str(value) for name, value in blanks.items()}
        self.sentence = form.format(**self.blanks) if blanks else form
        """The sentence as it is read."""
        super().__init__(self.sentence)


class Refusal(Worded):
    """A request that is refused: `code` for programs, `sentence` for the person who asked."""

    def __init__(self, code: ErrorCode, form: str, /, **blanks: object) -> None:
        super().__init__(form, **blanks)
        self.code: ErrorCode = code
