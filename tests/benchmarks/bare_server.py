"""The least that a server of tables can do: what our server is measured against.

Each request of 39 bytes makes six frames of about 180 bytes, one for each connection of the
table, encoded once for each. No rules, no checks, no sessions. A connection's first frame says
at which table and in which seat it is; it is answered by one byte.
"""

import asyncio
from typing import Any

import msgpack

SEATS = 6
_BUFFER = memoryview(bytearray(64 * 1024))


class BareTable:
    """Where frames go, and how often one went."""

    __slots__ = ("seq", "transports")

    def __init__(self) -> None:
        self.transports: list[asyncio.Transport] = []
        self.seq = 1_000_000


class BareConnection(asyncio.BufferedProtocol):
    """One seat at one table."""

    __slots__ = ("_rest", "_table", "_tables", "_transport")

    def __init__(self, tables: dict[int, BareTable]) -> None:
        self._tables = tables
        self._table: BareTable | None = None
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        chunk = self._rest + bytes(_BUFFER[:nbytes])
        position = 0
        while len(chunk) - position >= 4:
            end = position + 4 + int.from_bytes(chunk[position : position + 4], "big")
            if end > len(chunk):
                break
            self._take(msgpack.unpackb(chunk[position + 4 : end]))
            position = end
        self._rest = chunk[position:]

    def _take(self, request: dict[str, Any]) -> None:
        if self._table is None:
            self._table = self._tables.setdefault(request["table"], BareTable())
            self._table.transports.append(self._transport)
            self._transport.write(b"\0\0\0\1\xc3")
            return
        table = self._table
        table.seq += 1
        event = {
            "t": "event",
            "table": 100_000,
            "seq": table.seq,
            "kind": "disc_placed",
            "seat": request["seat"],
            "n": request["n"],
            "stacks": [1, 2, 0, 1, 3, 2],
            "hands": [3, 2, 4, 3, 1, 2],
            "points": [0, 1, 0, 0, 1, 0],
            "phase": "placing",
            "turn": 3,
            "deadline": 1_764_440_000_000 + table.seq,
            "you": {"hand": ["rose", "rose", "skull"], "stack": ["rose"]},
        }
        for transport in table.transports:
            body = msgpack.packb(event)
            transport.write(len(body).to_bytes(4, "big") + body)


async def _serve() -> None:
    tables: dict[int, BareTable] = {}
    server = await asyncio.get_running_loop().create_server(
        lambda: BareConnection(tables), "127.0.0.1", 0, backlog=4096
    )
    print(f"bare server listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
