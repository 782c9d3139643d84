"""What is said at one table: who may talk, how often, and who no longer wants to hear whom."""

from collections.abc import Iterable

from skull_protocol.codec import encode
from skull_protocol.errors import Refusal
from skull_protocol.phrases import PhraseCode
from skull_protocol.pushes import Chat
from skull_protocol.text import UnfitText, clean_chat
from skull_server.allowances import Allowances
from skull_server.sessions import Session


class TableChat:
    """Hands on what is said to everybody who has not muted the one who says it."""

    def __init__(self, pace: Allowances, most_mutes: int) -> None:
        """`pace`: how often each player may talk, at whatever table they are."""
        self._pace = pace
        self._most_mutes = most_mutes
        self._muted: dict[Session, dict[int, None]] = {}
        """For each who muted somebody: whom, by player id, the first muted first."""

    def say(self, speaker: Session, raw: str, people: Iterable[Session]) -> None:
        """Tell these people what somebody says. Raises `Refusal`."""
        try:
            text = clean_chat(raw)
        except UnfitText as unfit:
            raise Refusal("bad_text", unfit.form, **unfit.blanks) from unfit
        self._tell(speaker, Chat(speaker.id, speaker.name, text), people)

    def say_phrase(self, speaker: Session, phrase: PhraseCode, people: Iterable[Session]) -> None:
        """Tell these people which of the usual phrases somebody says. Raises `Refusal`."""
        self._tell(speaker, Chat(speaker.id, speaker.name, "", phrase), people)

    def _tell(self, speaker: Session, said: Chat, people: Iterable[Session]) -> None:
        if not self._pace.take(speaker.id):
            raise Refusal("too_much_chat", "You talk very fast: wait a moment, then say it again.")
        frame = encode(said)
        for person in people:
            if speaker.id not in self._muted.get(person, ()):
                person.tell_frame(frame)

    def mute(self, listener: Session, player: int) -> None:
        """Somebody no longer wants to hear somebody. Of too many, the first muted is heard."""
        muted = self._muted.setdefault(listener, {})
        muted[player] = None
        if len(muted) > self._most_mutes:
            del muted[next(iter(muted))]

    def unmute(self, listener: Session, player: int) -> None:
        """Somebody wants to hear somebody again."""
        muted = self._muted.get(listener, {})
        muted.pop(player, None)
        if not muted:
            self._muted.pop(listener, None)

    def left(self, person: Session) -> None:
        """Somebody left the table. Who comes back hears everybody again, but stays muted."""
        self._muted.pop(person, None)
