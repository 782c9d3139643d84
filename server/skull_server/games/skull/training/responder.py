"""A player who knows all about the two-player bot but its discs, and makes the best of it."""

import numpy as np

from skull_protocol.skull import (
    Bid,
    Lose,
    Pass,
    Place,
    SkullAction,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.duel import IN_HAND, Duel
from skull_server.games.skull.bots.duel_table import DuelTable
from skull_server.games.skull.bots.two_players import TwoPlayers, state_of
from skull_server.games.skull.training.best_response import BestResponse, Response
from skull_server.games.skull.training.duel_solver import interpolate
from skull_server.games.skull.training.packing import keeps_at, place_of


class Responder(TwoPlayers):
    """Plays a best response in a seat of a game; it keeps the same public beliefs as the bot."""

    def __init__(self, table: DuelTable, rules: SkullOptions, best: BestResponse) -> None:
        """`best`: solved for the same table."""
        super().__init__(table, rules)
        self._best = best
        self._known: tuple[object, Response] | None = None

    def _bidding(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        seats, duel, beliefs = self._duel(view)
        response = self._response(duel, seats.index(own.seat), beliefs)
        discs = {is_skull(disc): disc for disc in own.choices.place}
        if not own.stack:
            lays = (
                response.first[1, 0] > response.first[0, 0] if state_of(own) == IN_HAND else False
            )
            return {Place(discs.get(bool(lays), next(iter(discs.values())))): 1.0}
        placed = sum(len(view.seats[seat].stack) for seat in seats) - 2
        bids = self._bids(view, seats, placed)
        key, history = place_of(placed, bids)
        column = int(response.actions[key][:, state_of(own), history, 0].argmax())
        if bids:
            return {Bid(view.bid + column) if column else Pass(): 1.0}
        return {Bid(column - 1) if column > 1 else Place(discs[column == 1]): 1.0}

    def _response(self, duel: Duel, player: int, beliefs: tuple[float, float]) -> Response:
        where = (duel, player, beliefs)
        if self._known is None or self._known[0] != where:
            at = np.array([beliefs[0]]), np.array([beliefs[1]])
            self._known = where, self._best.round(duel, player, at)
        return self._known[1]

    def _losing(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        seats, duel, _ = self._duel(view)
        challenger = seats.index(own.seat)
        after = duel.after_loss(challenger)
        other = np.array([self._public.now()[seats[1 - challenger]]])
        keeps = keeps_at(self._table, after, other)
        without, owning = interpolate(self._best.values[after][0], keeps, other)[:, 0]
        discs = {is_skull(disc): disc for disc in own.choices.lose}
        return {Lose(discs[bool(without > owning)]): 1.0}
