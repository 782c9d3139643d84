"""How likely each face-down disc is the skull, by what everybody has seen of its owner.

Counted in games of trained bots: for players of so many discs, with so many of them laid, who bid
or passed like this, how often the skull was where. What a seat knows of its own discs, or what
this table has seen of a player in earlier rounds (`owns`), is put in by whoever asks.
"""

from collections.abc import Mapping, Sequence

DECIDED = 8
"""How many kinds of behaviour in the bidding are told apart (`behaviour`)."""
_WEIGHT = 4.0
"""So many imagined cases stand beside those counted, so that rare ones are not believed blindly."""

Counts = dict[int, list[float]]
"""Cases by `feature`: the skull lost, then in hand, then in the stack, from the bottom up."""


def behaviour(bid: int, height: int, passed: bool) -> int:
    """What a player did in the bidding: 0 nothing yet; passed; and a bid, low, middling or high.

    A bid is measured by how many discs of others it needs: none, one, more.
    """
    if bid == 0:
        return 1 if passed else 0
    beyond = bid - height
    kind = 2 if beyond <= 0 else 3 if beyond == 1 else 4
    return kind + 3 if passed else kind


def feature(still_in: int, discs: int, height: int, done: int) -> int:
    """Number what everybody sees of a player: so many still in, own discs, of them on the mat."""
    return ((still_in * 6 + discs) * 6 + height) * DECIDED + done


class Beliefs:
    """The counted cases as chances."""

    def __init__(self, counts: Mapping[int, Sequence[float]]) -> None:
        """`counts`: as in `Counts`; nothing counted means that any disc may be the skull."""
        self._counts = counts
        self._owners: dict[tuple[int, int], float] = {}
        self._others: dict[tuple[int, int], float] = {}
        for number, cases in counts.items():
            pair = divmod(number // (6 * DECIDED), 6)
            self._others[pair] = self._others.get(pair, 0.0) + cases[0]
            self._owners[pair] = self._owners.get(pair, 0.0) + sum(cases[1:])
        self._known: dict[tuple[int, float], tuple[float, ...]] = {}

    def where(self, number: int, owns: float) -> list[float]:
        """The chance that the skull is lost, in hand, at each height; they add up to 1.

        `number`: a `feature`; `owns`: how likely this player had the skull when the round began.
        """
        above, _ = divmod(number, DECIDED)
        above, height = divmod(above, 6)
        still_in, discs = divmod(above, 6)
        cases = self._counts.get(number)
        owners = self._owners.get((still_in, discs), 0.0) + 60 * _WEIGHT
        others = self._others.get((still_in, discs), 0.0) + 60 * _WEIGHT
        each = _WEIGHT / max(discs, 1)
        there = [each * (discs - height), *[each] * height]
        lost = _WEIGHT
        if cases is not None:
            lost += cases[0]
            there = [a + b for a, b in zip(there, cases[1:], strict=True)]
        chances = [(1 - owns) * lost / others, *[owns * case / owners for case in there]]
        total = sum(chances) or 1.0
        return [chance / total for chance in chances]

    def flowers(self, number: int, owns: float) -> tuple[float, ...]:
        """The chance of each disc on the mat to be a flower, top first, if those above it were."""
        found = self._known.get((number, owns))
        if found is None:
            where = self.where(number, owns)
            left = 1.0
            chances = []
            for skull in reversed(where[2:]):
                chances.append(max(1e-4, 1 - skull / left) if left > 1e-9 else 1e-4)
                left -= skull
            found = self._known[number, owns] = tuple(chances)
        return found
