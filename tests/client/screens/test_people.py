"""Who is here: what each may do about whom, and nothing by one key."""

from typing import Any

from skull_client.link import LinkStatus
from skull_protocol import skull
from skull_protocol.pushes import Error, LeftTable
from skull_protocol.requests import HandToBot, Mute, RemovePlayer, Say
from skull_protocol.skull import Choices
from skull_protocol.tables import TableOptions

BORIS = 102


def table(world: Any, *, host: int | None = None, **more: Any) -> list[Any]:
    """A game of four (a bot among them), watched by two who have said nothing."""
    view = world.view([world.seat()] * 4)
    return [
        world.welcome(),
        world.table(
            world.seats(4, bots=(3,)), host=host or world.ME, watchers=("Ida", "Jo"), **more
        ),
        world.update(view, world.own(Choices(place=("F", "S")))),
        world.online(),
    ]


async def test_everybody_is_listed_with_what_is_to_be_known(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("w")
        text = " ".join(p.text().split())
        for words in ("seat 1 you, host", "Boris seat 2", "seat 4 bot"):
            assert words in text
        for words in ("Ida watches", "Jo watches"):
            assert words in text


async def test_the_host_chooses_somebody_and_then_what(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("w", "down", "enter", "enter")
        assert p.link.asked == [], "the first answer is the harmless one"
        for steps in (1, 2, 3):
            await p.press("w", "down", "enter", *["down"] * steps, "enter")
        assert p.link.asked == [
            (Mute, {"player": BORIS, "muted": True}),
            (HandToBot, {"player": BORIS}),
            (RemovePlayer, {"player": BORIS}),
        ]


async def test_a_guest_may_only_mute_and_hear_again(play: Any, world: Any) -> None:
    async with play(*table(world, host=BORIS)) as p:
        await p.press("w", "down", "enter")
        assert "Send Boris away" not in p.text()
        assert "Have a bot play" not in p.text()
        await p.press("down", "enter", "w")
        assert "host, muted" in p.text()
        await p.press("down", "enter", "down", "enter")
        assert p.link.asked == [
            (Mute, {"player": BORIS, "muted": True}),
            (Mute, {"player": BORIS, "muted": False}),
        ]
        await p.press("w")
        assert "muted" not in p.text()


async def test_who_is_muted_stays_so_at_a_server_that_was_restarted(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("w", "down", "enter", "down", "enter")
        await p.arrive(LinkStatus("lost"), world.online())
        assert p.link.asked == [(Mute, {"player": BORIS, "muted": True})] * 2
        await p.arrive(LeftTable(), LinkStatus("lost"), world.online())
        assert len(p.link.asked) == 2, "another table, other people"


async def test_nothing_is_offered_about_bots_and_oneself(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("w")
        for place, offered in enumerate([False, True, True, False, True, True]):
            assert ("Enter open" in p.text()) == offered, place
            await p.press("down")


async def test_the_host_can_send_any_watcher_away(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        for place in (4, 5):
            await p.press("w", *["down"] * place, "enter", "end", "enter")
        first = world.FIRST_WATCHER
        assert p.link.asked == [(RemovePlayer, {"player": who}) for who in (first, first + 1)]


async def test_anybody_can_mute_a_watcher_a_watcher_too(play: Any, world: Any) -> None:
    async with play(*table(world, host=BORIS)) as p:
        await p.press("w", *["down"] * 4, "enter")
        assert "Send Ida away" not in p.text()
        await p.press("down", "enter", "w")
        assert "muted" in p.text()
        watched = world.table(world.seats(4)[1:], host=BORIS, watchers=("Ana", "Ida"))
        await p.press("escape")
        await p.arrive(watched)
        await p.press("w", *["down"] * 3)
        assert "Enter open" not in p.text(), "that is oneself"
        await p.press("down", "enter", "down", "enter")
        assert [fields for _, fields in p.link.asked] == [
            {"player": world.FIRST_WATCHER, "muted": True},
            {"player": world.FIRST_WATCHER + 1, "muted": True},
        ]


async def test_a_refusal_is_told_at_the_table_and_nobody_is_muted(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        p.link.refusal = Error(1, "no_such_player", "They have left already.")
        await p.press("w", "down", "enter", "down", "enter")
        assert "They have left already." in p.text()
        await p.press("w")
        assert "muted" not in p.text()


async def test_in_the_waiting_room_and_after_the_game_too(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.arrive(world.table(world.seats(3), "waiting", game=0))
        await p.press("w", "down", "enter")
        assert "Have a bot play" not in p.text(), "there is no game to be played"
        await p.press("end", "enter")
        assert p.link.asked == [(RemovePlayer, {"player": BORIS})]


async def test_what_being_sent_away_means_is_told(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("w", "down", "enter")
        assert "a bot plays on" in p.text()
        options = TableOptions(leavers="forfeit")
        await p.press("escape")
        await p.arrive(world.table(world.seats(3), options=options))
        await p.press("w", "down", "enter")
        assert "out of the game" in p.text()


async def test_who_must_be_quiet_has_no_key_to_talk(play: Any, world: Any) -> None:
    quiet = TableOptions(watchers_talk=False)
    watched = world.table(world.seats(4)[1:], host=BORIS, watchers=("Ana",), options=quiet)
    view = world.view([world.seat()] * 3, to_act=(1,))
    async with play(world.welcome(), watched, world.update(view, None), world.online()) as p:
        assert "t talk" not in p.text()
        await p.press("t", *"hi", "enter")
        assert p.link.asked == []
        seated = world.table(world.seats(3), host=BORIS, options=quiet)
        own = world.own(Choices())
        await p.arrive(seated, world.update(view, own, skull.Passed(1)))
        await p.press("t", *"hi", "enter")
        assert p.link.asked == [(Say, {"text": "hi"})]
