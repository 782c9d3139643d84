"""What is said at the table for a moment: why something is not possible, what the coach advises."""

from skull_client.coaching import advice_words, why_no_coach
from skull_client.screens.felt import Scene
from skull_client.screens.room import Room
from skull_client.state import ClientState
from skull_client.wording import say
from skull_protocol.pushes import Advice
from skull_protocol.requests import AskCoach


class Noticing(Room):
    """A room whose notices go with the moment that they are about."""

    def __init__(self) -> None:
        super().__init__()
        self._refused_at: int | None = None
        """The update at which the notice said why something is not possible."""
        self._coached: int | None = None
        """Since when one may do what the coach is asked about, who has the notice."""
        self._advised: Advice | None = None
        """What the coach has said."""

    def refuse(self, sentence: str) -> None:
        """Say why something is not possible, as long as that holds."""
        game = self.skull.known.game
        self._refused_at = None if game is None else game.seq
        self._coached = None
        self.notice(sentence)

    def drop_old_notices(self, state: ClientState) -> None:
        """Take back what is no longer so: it may be possible now."""
        game = state.game
        refused = game is not None and self._refused_at not in (None, game.seq)
        if refused or self._coached not in (None, state.choices_since):
            self._refused_at = self._coached = None
            self.notice("")

    def tell_advice(self, scene: Scene, advice: Advice | None) -> None:
        """Say once what the coach would do."""
        if advice is None or advice is self._advised or scene.you is None:
            return
        self._advised = advice
        self._coaching()
        self.tell(advice_words(advice, scene.view, scene.name, scene.you))

    def action_coach(self) -> None:
        """Ask what a hard bot would do here, or say why that cannot be asked."""
        known = self.skull.known
        sentence = why_no_coach(known)
        if sentence:
            self.refuse(sentence)
        elif known.advice is not None:
            self._advised = None
            self.show(known)
        elif self.ask(AskCoach):
            self._coaching()
            self.tell(say("The coach thinks{dots}", dots=self.glyphs.ellipsis))

    def _coaching(self) -> None:
        self._refused_at, self._coached = None, self.skull.known.choices_since
