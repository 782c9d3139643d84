"""Names and chat made to harm a terminal: they reach nobody; what looks like markup is text."""

import asyncio
import unicodedata
from collections.abc import Callable

from tests.abuse.conftest import FREELY, PATIENCE, ServerProcess, bystanders, dial

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Chat, Error, Ok, Table, Welcome
from skull_protocol.requests import Hello, Say, WatchTable

Start = Callable[..., ServerProcess]
HARMFUL = {
    "escape": "\x1b[2J\x1b[31mred",
    "title": "\x1b]0;pwned\x07",
    "nul": "a\0b",
    "bell": "ding\x07",
    "delete": "a\x7fb",
    "c1": "a\x9b31mb",
    "c1 next line": "a\x85\x84b",
    "bidi override": "abc\u202edcba",
    "bidi isolate": "\u2066abc\u2069",
    "arabic letter mark": "a\u061cb",
    "zero width space": "An\u200bn",
    "zero width joiner": "An\u200dn",
    "byte order mark": "\ufeffAnn",
    "soft hyphen": "An\u00adn",
    "word joiner": "An\u2060n",
    "tag letters": "Ann\U000e0041\U000e0042",
    "variation selector": "A\ufe0fnn",
    "hangul filler": "\u3164",
    "braille blank": "\u2800",
    "combining flood": "Z" + "\u0335\u0336\u0337\u0338" * 12,
    "enclosing flood": "a" + "\u20dd" * 10,
    "private use": "\ue000",
    "unassigned": "\u0378",
    "noncharacter": "\ufffe",
    "line separator": "a\u2028\u0000b",
    "only spaces": " \t\u00a0 ",
    "too wide": "\u4e2d" * 150,
    "very long": "x" * 1000,
}
MARKUP = ("[b", "[/", "[/]", "[@click=app.quit()]x[/]", "[b]bold[/b]", "\\[red]", "$name", "{0}")


def is_harmless(text: str) -> bool:
    return all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in text)


async def test_harmful_words_reach_nobody(start_server: Start) -> None:
    server = start_server("--chat-burst", "1000", *FREELY)
    async with bystanders(server.port) as table:
        talker = await dial(server.port)
        await talker.hello("Mallory")
        assert isinstance(await talker.ask(WatchTable, code=table.code), Ok)
        for what, text in HARMFUL.items():
            said = await talker.ask(Say, text=text)
            assert isinstance(said, Error), what
            assert said.code == "bad_text"
            stranger = await dial(server.port)
            named = await stranger.ask(Hello, protocol=PROTOCOL_VERSION, name=text, token=None)
            assert isinstance(named, Error), what
            assert named.code == "bad_name"
            assert is_harmless(said.message)
            assert is_harmless(named.message)
            await stranger.close()
        await table.play_on()
        for person in table.people:
            assert not [message for message in person.inbox if isinstance(message, Chat)]
        assert "pwned" not in server.log


async def test_markup_is_text(start_server: Start) -> None:
    """It arrives as it was said; as a name it is refused, brackets and all."""
    server = start_server("--chat-burst", "1000", *FREELY)
    async with bystanders(server.port) as table:
        talker = await dial(server.port)
        await talker.hello("Mallory")
        assert isinstance(await talker.ask(WatchTable, code=table.code), Ok)
        listener = await dial(server.port)
        await listener.hello("Listener")
        assert isinstance(await listener.ask(WatchTable, code=table.code), Ok)
        for text in MARKUP:
            assert isinstance(await talker.ask(Say, text=text), Ok)
            async with asyncio.timeout(PATIENCE):
                heard = await listener.wait_for(lambda message: isinstance(message, Chat))
            assert heard.text == text
            listener.inbox.clear()
            stranger = await dial(server.port)
            named = await stranger.ask(Hello, protocol=PROTOCOL_VERSION, name=text, token=None)
            assert isinstance(named, Error), text
            assert named.code == "bad_name"
            await stranger.close()
        await table.play_on(5)


async def test_a_name_reaches_others_in_one_form(start_server: Start) -> None:
    """However it was typed: composed, and without the blanks around it."""
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        guest = await dial(server.port)
        await guest.hello("  Zoe\u0301   Z ")
        assert guest.last(Welcome).name == "Zoé Z"
        assert isinstance(await guest.ask(WatchTable, code=table.code), Ok)
        assert [watcher.name for watcher in guest.last(Table).watchers] == ["Zoé Z"]
