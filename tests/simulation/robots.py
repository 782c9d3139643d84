"""Players that never tire: the real client's connection, and at the keys a die."""

import asyncio
from random import Random
from typing import Any, TypeVar

from tests.simulation.virtual_time import VirtualClock

from skull_client.connection import Connection
from skull_client.dialing import Dial
from skull_client.link import Arrival, LinkStatus
from skull_protocol.pushes import Chat, Table, Update, Welcome
from skull_protocol.requests import Act, Ping, Request, Say
from skull_protocol.skull import Abandon, Bid, Ready, SkullAction

R = TypeVar("R", bound=Request)


class Robot:
    """One player: what they did, what was granted, and what they see."""

    def __init__(self, name: str, dial: Dial, dice: Random) -> None:
        self.name = name
        self.link = Connection(
            dial,
            name,
            server="simulated",
            clock=VirtualClock(),
            chance=dice.random,
            first_id=0,
        )
        self._dice = dice
        self.player = 0
        self.granted: list[SkullAction] = []
        """Every action that the server said was done, in order."""
        self.said: list[str] = []
        self.heard: list[str] = []
        self.table: Table | None = None
        self.update: Update | None = None
        self.updates: list[tuple[int, Update]] = []
        """Every update, with the number of the game it belongs to."""
        self.status = LinkStatus("connecting")
        self._news = asyncio.Event()
        self.link.start(self._arrived)

    def _arrived(self, arrival: Arrival) -> None:
        match arrival:
            case LinkStatus():
                self.status = arrival
            case Welcome(player=player):
                assert self.player in (0, player), "the server took them for somebody new"
                self.player = player
            case Table():
                self.table = arrival
            case Update():
                assert self.table is not None
                self.update = arrival
                self.updates.append((self.table.game, arrival))
            case Chat(text=text):
                self.heard.append(text)
        self._news.set()

    @property
    def finished(self) -> bool:
        """Whether the game that this player is at is over."""
        return self.table is not None and self.table.stage == "finished"

    async def until(self, condition: Any) -> None:
        """Wait for something to become true by news from the server."""
        while not condition():
            assert self.status.state not in ("refused", "closed"), self.status
            self._news.clear()
            await self._news.wait()

    async def must(self, request: type[Request], **fields: object) -> None:
        """Ask for what has to be granted, as soon as the server can save it."""
        while (error := await self.link.ask(request, **fields)) is not None:
            assert error.code == "cannot_save", (self.name, request.__name__, error)
            await asyncio.sleep(1)

    async def play(self) -> None:
        """Play until the game is over."""
        await self.until(lambda: self.update is not None)
        while not self.finished:
            update = self.update
            choice = self._choice()
            if choice is None:
                await self.until(lambda: self.update is not update or self.finished)  # noqa: B023
                continue
            await asyncio.sleep(self._dice.expovariate(2))
            if self.update is not update:
                continue
            assert update is not None
            error = await self.link.ask(Act, seq=update.seq, action=choice)
            if error is None:
                self.granted.append(choice)
            elif error.code == "cannot_save":
                await asyncio.sleep(1)
            else:
                assert error.code in ("stale", "no_game"), (self.name, choice, error)
                await self.look_again(update)
            if self._dice.random() < 0.1:
                await self.talk()

    async def look_again(self, update: Update) -> None:
        """What was refused as stale has a newer update on its way, or here already."""
        await self.until(lambda: self.update is not update or self.finished)

    async def talk(self) -> None:
        """Say something that nobody ever said before."""
        line = f"{self.name} {len(self.said)}"
        await self.must(Say, text=line)
        self.said.append(line)

    async def settle(self) -> None:
        """Hear everything that was sent before now."""
        await self.must(Ping)

    def _choice(self) -> SkullAction | None:
        """What to do now; None: it is for others to do something."""
        update = self.update
        if update is None or update.you is None or update.you.seat not in update.view.to_act:
            return None
        allowed: list[SkullAction] = [
            action for action in update.you.choices.actions() if not isinstance(action, Abandon)
        ]
        if Ready() in allowed and self._dice.random() < 0.7:
            return Ready()
        bids: list[SkullAction] = [action for action in allowed if isinstance(action, Bid)]
        if bids and self._dice.random() < 0.4:
            return bids[0]
        return self._dice.choice(allowed)
