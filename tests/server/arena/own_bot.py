"""The bot of docs/bots.md, as somebody who reads it would write it."""

from skull_protocol.skull import Abandon, Pass, SkullAction, SkullOwn, SkullView
from skull_server.games.skull.bots.bot import Bot


class Cautious(Bot):
    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        if own.choices.may_pass and view.bid >= len(own.stack):
            return Pass()
        allowed = [each for each in own.choices.actions() if not isinstance(each, Abandon)]
        return self.rng.choice(allowed)
