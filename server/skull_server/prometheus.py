"""The counts of `metrics.py` for Prometheus, served over HTTP by a thread of its own.

The thread serves one scrape at a time, drops a peer that is silent, and never touches the game: it
reads numbers that the event loop wrote. The page is made at most once a second.
"""

import socket
import socketserver
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from skull_protocol.errors import ErrorCode
from skull_server import logs
from skull_server.metrics import CutOff, Metrics, Outcome, Sample

log = logs.get(__name__)

_FRESH_SECONDS = 1.0
"""How long a page that was made is shown again."""
_PAUSE_SECONDS = 0.05
"""How long the thread rests after a scrape: while it runs, the game's thread may have to wait."""
_PATIENCE = 2.0
"""Seconds that somebody who asks for the page may be silent."""
_COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_COMMIT_ENTRIES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class PrometheusMetrics(Metrics):
    """Keeps all counts, and turns them into a page."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        self._connections = Gauge("skull_connections", "Connections.", registry=registry)
        self._players = Gauge("skull_players", "Players, the absent too.", registry=registry)
        self._tables = Gauge("skull_tables", "Tables, by stage.", ["stage"], registry=registry)
        self._timers = Gauge("skull_timers", "Alarms that are set.", registry=registry)
        self._saving = Gauge("skull_saving", "1: the disk takes what is saved.", registry=registry)
        self._requests = Counter(
            "skull_requests", "Requests answered.", ["type", "outcome"], registry=registry
        )
        self._refused = Counter(
            "skull_refused_connections",
            "Connections that the server closed for a reason.",
            ["reason"],
            registry=registry,
        )
        self._cut_off = Counter(
            "skull_cut_off_clients", "Clients cut off, by reason.", ["reason"], registry=registry
        )
        self._moves = Counter("skull_moves", "Moves made.", registry=registry)
        self._commit_seconds = Histogram(
            "skull_commit_seconds",
            "Time that a commit to the journal took.",
            buckets=_COMMIT_SECONDS,
            registry=registry,
        )
        self._commit_entries = Histogram(
            "skull_commit_entries",
            "Entries in one commit to the journal.",
            buckets=_COMMIT_ENTRIES,
            registry=registry,
        )

    def answered(self, request: str, outcome: Outcome) -> None:
        """A request of this type was answered."""
        self._requests.labels(request, outcome).inc()

    def refused(self, reason: ErrorCode) -> None:
        """A connection was closed from this side for this reason."""
        self._refused.labels(reason).inc()

    def cut_off(self, reason: CutOff) -> None:
        """A client was cut off, who may come back."""
        self._cut_off.labels(reason).inc()

    def moved(self) -> None:
        """A move was made in a game, by a person, a bot or a clock."""
        self._moves.inc()

    def committed(self, seconds: float, entries: int) -> None:
        """The journal has committed some entries, and this long it took."""
        self._commit_seconds.observe(seconds)
        self._commit_entries.observe(entries)

    def sampled(self, sample: Sample) -> None:
        """So much there is now."""
        self._connections.set(sample.connections)
        self._players.set(sample.players)
        self._timers.set(sample.timers)
        self._saving.set(sample.saving)
        for stage, count in sample.tables.items():
            self._tables.labels(stage).set(count)

    def page(self) -> bytes:
        """Return everything in Prometheus's text format. From any thread."""
        return generate_latest(self._registry)


class Endpoint(socketserver.TCPServer):
    """Listens for scrapes."""

    allow_reuse_address = True

    def __init__(
        self,
        host: str,
        port: int,
        metrics: PrometheusMetrics,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Listen from now on. Port 0: any free one. Raises `OSError`."""
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, port), _Scrape)
        self._metrics = metrics
        self._clock = clock
        self._made_at = 0.0
        self._page = b""
        self._thread = threading.Thread(target=self.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port that was taken."""
        return int(self.server_address[1])

    def stop(self) -> None:
        """Listen no more."""
        self.shutdown()
        self._thread.join()
        self.server_close()

    def page(self) -> bytes:
        """Return the page, made a moment ago at most."""
        now = self._clock()
        if not self._page or now - self._made_at > _FRESH_SECONDS:
            self._page, self._made_at = self._metrics.page(), now
        return self._page

    def service_actions(self) -> None:
        """Rest, so that scrapes without end cost the game little."""
        time.sleep(_PAUSE_SECONDS)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002
        """Log that a scrape failed: mostly that its peer has gone."""
        log.debug("scrape_failed")


class _Scrape(BaseHTTPRequestHandler):
    """One request for the page."""

    server: Endpoint
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """Send the page, whatever path is asked for."""
        page = self.server.page()
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE_PLAIN_0_0_4)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Log nothing: what was asked for was typed by others."""
