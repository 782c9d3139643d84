"""How often somebody may do something: so many times at once, and again as time passes."""

from collections.abc import Callable, Hashable


class Allowances:
    """One allowance for each key (a player, an address), full for whoever has not been seen yet.

    Only keys that have used some of theirs are remembered, so it never grows past what can be
    used up within the time that it takes to fill again.
    """

    def __init__(self, now: Callable[[], float], most: int, seconds: float) -> None:
        """`most` times at once, and so many again within `seconds`."""
        self._now = now
        self._most = most
        self._per_second = most / seconds
        self._used: dict[Hashable, tuple[float, float]] = {}
        """For each key how many times were used up, and when that was so."""
        self._look_over_at = 64

    def __len__(self) -> int:
        return len(self._used)

    def any_left(self, key: Hashable) -> bool:
        """Tell whether it may be done once more."""
        return self._used_up(key) <= self._most - 1

    def take(self, key: Hashable) -> bool:
        """Use it once, and tell whether that was allowed; if not, nothing is used."""
        used = self._used_up(key)
        if used > self._most - 1:
            return False
        self._used[key] = (used + 1, self._now())
        if len(self._used) > self._look_over_at:
            self._forget_full()
        return True

    def _used_up(self, key: Hashable) -> float:
        used, at = self._used.get(key, (0.0, 0.0))
        return max(0.0, used - (self._now() - at) * self._per_second)

    def _forget_full(self) -> None:
        self._used = {key: used for key, used in self._used.items() if self._used_up(key) > 0}
        self._look_over_at = max(64, 2 * len(self._used))
