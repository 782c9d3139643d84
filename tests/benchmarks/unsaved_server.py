"""Our server without its journal, to tell what saving costs."""

import asyncio

from skull_server.limits import Limits
from skull_server.server import Server

UNLIMITED = Limits(
    requests_per_second=1e8,
    request_burst=10**8,
    connections_per_address=10**5,
    connections=10**5,
    players=10**5,
    tables=10**5,
)


async def _serve() -> None:
    host, port = await Server(UNLIMITED).serve("127.0.0.1", 0)
    print(f"unsaved server listening on {host}:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve())
