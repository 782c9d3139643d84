"""What a player may do now, as items of the action bar, and the action behind each."""

from collections.abc import Hashable

from skull_client.glyphs import Glyphs
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
