"""What may be typed in the game: one word for each thing that the rules let one do."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from skull_client.coaching import why_no_coach
from skull_client.plain.anywhere import nothing_behind
from skull_client.plain.doing import Ask, Command, Doing, Here, NotUnderstood
from skull_client.typed import number_in
from skull_client.wording import disc_words, say
from skull_protocol import skull
from skull_protocol.requests import Act, AskCoach, TakeBack
from skull_protocol.skull import Disc, SkullAction, SkullOwn
from skull_protocol.text import shown

Thing = TypeVar("Thing")


def in_game(here: Here) -> list[Command]:
    """List what this player may do in the game now."""
    state = here.state
    table, game = state.table, state.game
    if table is None or table.stage != "playing" or game is None or game.you is None:
        return []
    if state.bot_plays:
        words = say("play yourself again instead of the bot")
        return [
            Command("back", ("back",), words, nothing_behind("back", Ask(TakeBack)), asked=True)
        ]
    moves = _Moves(here, game.seq, game.you)
    return [
        *moves.placing(),
        *moves.bidding(),
        *moves.flipping(),
        *moves.losing(),
        *moves.after(),
        *([_coach(here)] if table.options.coach else []),
    ]


def _coach(here: Here) -> Command:
    def take(_rest: str) -> Doing:
        if sentence := why_no_coach(here.state):
            raise NotUnderstood(sentence)
        return Ask(AskCoach)

    return Command("coach", ("coach",), say("ask what a hard bot would do"), take)


class _Moves:
    """The moves of one moment."""

    def __init__(self, here: Here, seq: int, own: SkullOwn) -> None:
        self._names = here.names
        self._seq = seq
        self._own = own
        self._choices = own.choices
        game = here.state.game
        self._players = len(here.state.players)
        self._agreed = game is not None and any(seat.agrees for seat in game.view.seats)

    def placing(self) -> list[Command]:
        """Placing a disc."""
        meaning = say("put a disc face down on your stack")
        return self._discs("place", self._choices.place, meaning, skull.Place)

    def bidding(self) -> list[Command]:
        """Bidding and passing."""
        found = []
        if self._choices.bid is not None:
            low, high = self._choices.bid
            form = f"bid {low}" if low == high else say("bid {low} to {high}", low=low, high=high)
            found.append(
                Command(
                    "bid",
                    (form,),
                    say("say how many flowers you can flip"),
                    lambda rest: self._act(skull.Bid(_number(rest, form))),
                    asked=True,
                )
            )
        if self._choices.may_pass:
            found.append(self._alone("pass", say("leave the bidding"), skull.Pass()))
        return found

    def flipping(self) -> list[Command]:
        """Flipping discs, own ones first."""
        seats = self._choices.flip
        meaning = say("turn over the top disc of a stack")
        return self._seats("flip", seats, meaning, skull.Flip)

    def losing(self) -> list[Command]:
        """What a failed challenge costs, and who starts afterwards."""
        found = []
        if offered := self._choices.pick:
            forms = tuple(f"pick {position + 1}" for position in range(offered))
            found.append(
                Command(
                    "pick",
                    forms,
                    say("take a disc of the challenger, unseen"),
                    lambda rest: self._act(skull.Pick(_among(rest, forms, range(offered)))),
                    asked=True,
                )
            )
        meaning = say("give up a disc, in secret")
        found += self._discs("lose", self._choices.lose, meaning, skull.Lose)
        seats = self._choices.name_starter
        return found + self._seats("starter", seats, say("say who starts"), skull.NameStarter)

    def after(self) -> list[Command]:
        """Showing discs, going on, taking the round back."""
        choices = self._choices
        found: list[Command] = []
        if choices.ready:
            found.append(self._alone("ready", say("go on to the next round"), skull.Ready()))
        if positions := choices.show:
            forms = tuple(f"show {position + 1}" for position in positions)
            stack = ", ".join(
                say("{n} {disc}", n=position + 1, disc=disc_words(self._own.stack[position]))
                for position in positions
            )
            found.append(
                Command(
                    "show",
                    forms,
                    say("show everybody one of your discs: {discs}", discs=stack),
                    lambda rest: self._act(skull.Show(_among(rest, forms, positions))),
                    asked=True,
                )
            )
        if choices.abandon is not None:
            word = "abandon" if choices.abandon else "continue"
            meaning = (
                say("ask to take the round back: done if everybody agrees")
                if choices.abandon
                else say("no longer ask to take the round back")
            )
            action = skull.Abandon(choices.abandon)
            take = nothing_behind(word, self._act(action))
            found.append(Command(word, (word,), meaning, take, asked=self._agreed))
        return found

    def _act(self, action: SkullAction) -> Ask:
        return Ask(Act, {"seq": self._seq, "action": action})

    def _alone(self, word: str, meaning: str, action: SkullAction) -> Command:
        take = nothing_behind(word, self._act(action))
        return Command(word, (word,), meaning, take, asked=True)

    def _discs(
        self, word: str, discs: Sequence[Disc], meaning: str, action: Callable[[Disc], SkullAction]
    ) -> list[Command]:
        if not discs:
            return []
        forms = tuple(f"{word} {disc_word(disc)}" for disc in discs)

        def take(rest: str) -> Doing:
            return self._act(action(_among(rest, forms, discs)))

        return [Command(word, forms, meaning, take, asked=True)]

    def _seats(
        self, word: str, seats: Sequence[int], meaning: str, action: Callable[[int], SkullAction]
    ) -> list[Command]:
        """A seat is typed as the name of who sits there, or as its number from 1."""
        if not seats:
            return []
        forms = tuple(f"{word} {self._names(seat)}" for seat in seats)

        def take(rest: str) -> Doing:
            # A whole name is meant, even where another that may be chosen begins like it.
            called = [
                n for n in range(self._players) if self._names(n).casefold() == rest.casefold()
            ]
            numbered = [seat for seat in seats if str(seat + 1) == rest]
            meant = [seat for seat in called or numbered if seat in seats]
            if meant:
                return self._act(action(meant[0]))
            if called:
                raise NotUnderstood(say("Type {form}.", form=say(" or ").join(forms)))
            return self._act(action(_among(rest, forms, seats)))

        return [Command(word, forms, meaning, take, asked=True)]


def disc_word(disc: Disc) -> str:
    """Return how a disc is typed: `flower`, `skull`, or a card such as `7h`."""
    return {skull.FLOWER: "flower", skull.SKULL: "skull"}.get(disc, disc.lower())


def _among(rest: str, forms: Sequence[str], things: Sequence[Thing]) -> Thing:
    """Return the thing whose form was typed; its beginning is enough where no other has it."""
    typed = rest.casefold()
    behind = [form.partition(" ")[2].casefold() for form in forms]
    meant = [n for n, words in enumerate(behind) if words == typed] or [
        n for n, words in enumerate(behind) if typed and words.startswith(typed)
    ]
    if len(meant) == 1:
        return things[meant[0]]
    raise NotUnderstood(say("Type {form}.", form=say(" or ").join(forms)))


def _number(rest: str, form: str) -> int:
    number = number_in(range(1_000_000), rest)
    if number is None:
        raise NotUnderstood(say("Type {form}.", form=shown(form)))
    return number
