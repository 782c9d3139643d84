"""What a player may do now, as items of the action bar, and the action behind each."""

from collections.abc import Hashable

from skull_client.glyphs import Glyphs
from skull_client.reasons import Wanted
from skull_client.widgets.action_bar import BID
from skull_client.widgets.menu import Item
from skull_client.wording import Names, disc_words, say
from skull_protocol import skull
from skull_protocol.skull import FLOWER, SKULL, Disc, SkullAction, SkullOwn, SkullView, is_skull


def items_for(view: SkullView, own: SkullOwn, names: Names, glyphs: Glyphs) -> list[Item]:
    """List what may be done now. Voting on the round is not among it: it has a key of its own."""
    choices = own.choices
    items = [
        Item(skull.Place(disc), say("Place {disc}", disc=_disc(disc, glyphs)), letter=_letter(disc))
        for disc in choices.place
    ]
    if choices.bid is not None:
        words = say("Raise to") if view.bid else say("Bid")
        items.append(Item(BID, words, letter="r" if view.bid else "b"))
    if choices.may_pass:
        items.append(Item(skull.Pass(), say("Pass"), letter="p"))
    for seat in choices.flip:
        if seat == own.seat:
            items.append(Item(skull.Flip(seat), say("Flip your top disc"), letter="f"))
        else:
            number = str(len(items) + 1)
            items.append(
                Item(skull.Flip(seat), say("{n} {name}", n=number, name=names(seat)), letter=number)
            )
    items += [
        Item(
            skull.Pick(position),
            say("{disc} {n}", disc=glyphs.face_down, n=position + 1),
            letter=str(position + 1),
        )
        for position in range(choices.pick)
    ]
    items += [
        Item(
            skull.Lose(disc), say("Give up {disc}", disc=_disc(disc, glyphs)), letter=_letter(disc)
        )
        for disc in choices.lose
    ]
    items += [
        Item(
            skull.NameStarter(seat),
            say("{n} {name}", n=number, name=names(seat)),
            letter=str(number),
        )
        for number, seat in enumerate(choices.name_starter, 1)
    ]
    if choices.ready:
        items.append(Item(skull.Ready(), say("Next round"), letter="n"))
    items += [
        Item(
            skull.Show(position),
            say(
                "Show {n}: {disc}",
                n=position + 1,
                disc=glyphs.disc_label(own.stack[position]),
            ),
            letter=str(position + 1),
        )
        for position in choices.show
    ]
    return items


def _disc(disc: Disc, glyphs: Glyphs) -> str:
    """A disc in words, a card in few of them: several have to stand side by side."""
    if disc in (FLOWER, SKULL):
        return disc_words(disc)
    label = glyphs.disc_label(disc)
    return say("{card}, skull", card=label) if is_skull(disc) else say("{card}, flower", card=label)


def _letter(disc: Disc) -> str:
    return "s" if is_skull(disc) else "f"


def action_for(key: Hashable, amount: int) -> SkullAction | None:
    """The action behind an item; `amount` is the number in a bid."""
    if key == BID:
        return skull.Bid(amount)
    return key if isinstance(key, SkullAction) else None


def not_now(view: SkullView, own: SkullOwn) -> str:
    """Name what belongs to this part of the round and cannot be done now, with its keys."""
    if view.seats[own.seat].eliminated:
        return ""
    choices = own.choices
    some: list[tuple[str, bool]] = []
    if view.phase in ("initial", "turn", "bidding"):
        some = [
            (say("f s place"), bool(choices.place)),
            (say("b bid"), choices.bid is not None),
            (say("p pass"), choices.may_pass),
        ]
    elif view.phase == "challenge":
        some = [(say("f flip"), bool(choices.flip))]
    elif view.phase == "round_over":
        some = [(say("n next round"), choices.ready)]
    closed = "  ".join(words for words, possible in some if not possible)
    return say("not now: {closed}", closed=closed) if closed else ""


def asked_for(key: str, view: SkullView, own: SkullOwn | None) -> Wanted | None:
    """Tell which action a key stands for, whether it is possible now or not; None: no action."""
    if key in ("f", "s"):
        return _with_disc(key, view, own)
    if "0" <= key <= "9":
        return _with_number(int(key), view)
    return _KEYS.get(key)


_KEYS: dict[str, Wanted] = {
    "b": skull.Bid,
    "r": skull.Bid,
    "p": skull.Pass,
    "n": skull.Ready,
    "a": skull.Abandon,
}


def _with_disc(letter: str, view: SkullView, own: SkullOwn | None) -> Wanted:
    if view.phase == "challenge" and letter == "f":
        return skull.Flip
    kind = skull.Lose if view.phase == "lose" else skull.Place
    known = (*own.hand, *own.stack, *own.lost) if own is not None else ()
    disc = next((disc for disc in known if _letter(disc) == letter), None)
    return kind if disc is None else kind(disc)


def _with_number(number: int, view: SkullView) -> Wanted:
    match view.phase:
        case "challenge":
            return skull.Flip
        case "pick":
            return skull.Pick(number - 1)
        case "name_starter":
            return skull.NameStarter
        case "round_over":
            return skull.Show(number - 1)
        case _:
            return skull.Bid(number)
