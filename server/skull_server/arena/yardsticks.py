"""Simple players to measure bots by: what a beginner or a first program would do. Never levels."""

from skull_protocol.skull import (
    Abandon,
    Bid,
    Pass,
    Place,
    Ready,
    Show,
    SkullAction,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.bot import Bot


class Anything(Bot):
    """Does anything at all that is allowed."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:  # noqa: ARG002
        """Choose; see `Bot.decide`."""
        allowed = own.choices.actions()
        return self.rng.choice([each for each in allowed if not isinstance(each, Show | Abandon)])


class Timid(Anything):
    """A beginner who bids what the own flowers cover, and rarely one more."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        choices = own.choices
        clean = not any(map(is_skull, own.stack))
        if choices.place and own.stack and (not clean or self.rng.random() < 0.5):
            return Place(self.rng.choice(choices.place))
        if choices.bid is not None and (clean or not choices.may_pass):
            lowest = choices.bid[0]
            dares = lowest <= len(own.stack) or self.rng.random() < 0.3
            if not choices.may_pass or (lowest <= len(own.stack) + 1 and dares):
                return Bid(lowest)
        return Pass() if choices.may_pass else super().decide(view, own)


class NeverBids(Anything):
    """Bids only where the rules leave nothing else."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        calm = [each for each in own.choices.actions() if isinstance(each, Place | Pass | Ready)]
        return self.rng.choice(calm) if calm else super().decide(view, own)


class _LaysFlowers(Anything):
    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        flowers = [disc for disc in own.choices.place if not is_skull(disc)]
        if flowers and not own.stack:
            return Place(self.rng.choice(flowers))
        return super().decide(view, own)


class AlwaysBids(_LaysFlowers):
    """Lays a flower, then opens as soon as it may, and raises by one as long as it may."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        if own.choices.bid is not None:
            return Bid(own.choices.bid[0])
        return super().decide(view, own)


class AlwaysRaises(_LaysFlowers):
    """Lays flowers until somebody bids, and then always bids all discs."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        if own.choices.may_pass and own.choices.bid is not None:
            return Bid(own.choices.bid[1])
        if own.choices.place:
            flowers = [disc for disc in own.choices.place if not is_skull(disc)]
            return Place(self.rng.choice(flowers or own.choices.place))
        return super().decide(view, own)
