"""The story of a game that is over, each challenge in a line."""

from skull_client.chronicle import Challenge
from skull_client.wording import Names, name_list, say, say_count


def challenge_line(challenge: Challenge, names: Names, you: int | None) -> str:
    """Tell a challenge: who bid how many, how it ended, who bluffed."""
    parts = [_how_it_ended(challenge, names, you)]
    if challenge.out:
        seat = challenge.challenger
        parts.append(say("You were out.") if seat == you else say("That was the last disc."))
    others = [seat for seat in challenge.bluffs if seat != you]
    if others:
        parts.append(say("{names} had bluffed.", names=name_list(names(seat) for seat in others)))
    if you is not None and you in challenge.bluffs:
        parts.append(say("You had bluffed."))
    if challenge.unseen:
        parts.append(say("Nobody saw that you had bluffed."))
    return " ".join(parts)


def _how_it_ended(challenge: Challenge, names: Names, you: int | None) -> str:
    seat, bid = challenge.challenger, challenge.bid
    values = {"bid": bid, "name": names(seat)}
    if challenge.skull is None and not challenge.round:
        if seat == you:
            return say("You bid {bid}, and flipped as many: well done.", **values)
        return say("{name} bid {bid}, and flipped as many: well done.", **values)
    if challenge.skull is None:
        if seat == you:
            return say_count(
                bid, "You bid 1, flipped it: a point.", "You bid {n}, flipped all: a point."
            )
        return say_count(
            bid,
            "{name} bid 1, flipped it: a point.",
            "{name} bid {n}, flipped all: a point.",
            **values,
        )
    if challenge.caught:
        if seat == you:
            return say("You bluffed with a bid of {bid}, and were caught.", **values)
        return say("{name} bluffed with a bid of {bid}, and was caught.", **values)
    if challenge.skull == you:
        return say("{name} bid {bid}, and hit your skull.", **values)
    if seat == you:
        return say(
            "You bid {bid}, and hit {owner}'s skull.", owner=names(challenge.skull), **values
        )
    return say("{name} bid {bid}, and hit {owner}'s skull.", owner=names(challenge.skull), **values)
