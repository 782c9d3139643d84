"""The sentences about the connection: how it stands, and why there is none."""

from typing import Final

from skull_client.link import LinkStatus
from skull_client.wording import msg, say

_LINK: Final = {
    "connecting": msg("Connecting to the server: one moment."),
    "lost": msg("Connection lost: trying again by itself. Your seat is held."),
    "refused": msg("The server did not let you in: please quit and start again."),
    "closed": msg("The connection is closed: please quit and start again."),
}


def link_banner(status: LinkStatus) -> str:
    """Say how the connection stands and what is being done; empty while all is well."""
    if status.detail or status.state == "online":
        return status.detail
    return say(_LINK[status.state])


def retrying(reason: str) -> str:
    """Say why the connection is gone, in the sentence `reason`, and that it is tried again."""
    return say("{reason} Trying again by itself; your seat is held.", reason=reason)


def not_saving() -> str:
    """Say that the game waits because the server cannot save."""
    return say("The server cannot save right now: the game waits, nothing is lost.")


def hung_up() -> str:
    """Say that the connection ended without a word."""
    return say("The connection was lost.")


def silent() -> str:
    """Say that nothing was heard from the server for too long."""
    return say("The server has gone silent.")


def unreadable() -> str:
    """Say that what came was no message."""
    return say("The server sent something that this client cannot read.")


def forgotten() -> str:
    """Say that the server took this player for somebody new, so a request was not done again."""
    return say("The server no longer knows you: look where you are, and try again.")


def hung_up_for_good() -> str:
    """Say that there will be no connection any more."""
    return say(_LINK["closed"])


def not_now() -> str:
    """Say that nothing can be asked for without a connection."""
    return say("Not now: there is no connection. It comes back by itself.")


def broken() -> str:
    """Say that the client failed while it did something."""
    return say("Something broke in this program.")


def not_skull(server: str) -> str:
    """Say that something else than a Skull server answered."""
    return say("What answers at {server} is no Skull server: check the address.", server=server)


def no_welcome(server: str) -> str:
    """Say that the server hung up before it let the player in."""
    return say("{server} hung up at once: is it a Skull server? Try again.", server=server)


def own_mistake(fault: BaseException) -> str:
    """Say that the client itself failed."""
    return say(
        "The client made a mistake ({kind}): please quit and start again.",
        kind=type(fault).__name__,
    )
