"""What may be typed wherever one is: help, quit, wait, the code for another terminal."""

from collections.abc import Callable, Sequence

from skull_client.plain.doing import Ask, Command, Doing, Here, NotUnderstood, Quit, Tell, Wait
from skull_client.wording import say
from skull_protocol.requests import AskResumeCode


def anywhere(here: Here, others: Sequence[Command]) -> list[Command]:
    """List it; `others` is what else may be typed now, for the help."""
    found = []
    if here.state.table is not None:
        found.append(
            Command(
                "wait",
                ("wait",),
                say("take no further line until you are asked for something, or the game is over"),
                nothing_behind("wait", Wait()),
            )
        )
    if here.state.me is not None and not here.opening.is_here:
        found.append(
            Command(
                "code",
                ("code",),
                say("get a code with which you go on at another terminal"),
                nothing_behind("code", Ask(AskResumeCode)),
            )
        )
    found.append(Command("quit", ("quit",), say("end the program"), nothing_behind("quit", Quit())))
    listed = [*others, *found]
    lines = tuple(
        say("{forms}: {meaning}.", forms=", ".join(command.forms), meaning=command.meaning)
        for command in listed
    )
    shorter = say("Words may be shortened. A line that begins with > asks you, one with ! refuses.")
    helping = Command("help", ("help",), "", lambda _rest: Tell((*lines, shorter)))
    return [*found, helping]


def nothing_behind(word: str, doing: Doing) -> Callable[[str], Doing]:
    """Return how to take a word that stands alone."""

    def take(rest: str) -> Doing:
        if rest:
            raise NotUnderstood(say("Type {form}, with nothing behind it.", form=word))
        return doing

    return take
