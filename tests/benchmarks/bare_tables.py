"""Tables of the bare server: the same request again and again."""

import socket

import msgpack
from load import SEATS, connect


def _frame(fields: dict[str, object]) -> bytes:
    body: bytes = msgpack.packb(fields)
    return len(body).to_bytes(4, "big") + body


class BareTables:
    """All tables of the bare server; seats move in turn."""

    def __init__(self, port: int, tables: int) -> None:
        self.sockets: list[socket.socket] = []
        self._turn = [0] * tables
        for number in range(tables * SEATS):
            sock = connect(port)
            sock.sendall(_frame({"table": number // SEATS, "seat": number % SEATS}))
            sock.recv(5)
            self.sockets.append(sock)
        self._frames = [
            _frame({"t": "place", "n": 70_000, "seq": 1_000_000, "seat": seat, "p": 1})
            for seat in range(SEATS)
        ]

    def is_move(self, body: bytes) -> bool:
        return True

    def next_move(self, table: int) -> tuple[int, bytes]:
        seat = self._turn[table] = (self._turn[table] + 1) % SEATS
        return seat, self._frames[seat]

    def saw(self, number: int, body: bytes) -> None:
        pass
