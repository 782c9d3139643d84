"""What Prometheus is told: how much, and never who; and that asking for it is cheap."""

import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from skull_protocol.pushes import Ok, Update
from skull_protocol.requests import CreateTable, Ping, Say
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions
from skull_server import prometheus
from skull_server.prometheus import Endpoint, PrometheusMetrics

OPTIONS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


@pytest.fixture
def metrics() -> PrometheusMetrics:
    return PrometheusMetrics()


@pytest.fixture
def counted(world: Any, metrics: PrometheusMetrics) -> Any:
    """A server at rest that counts."""
    world.server.count_with(metrics)
    return world


def value(metrics: PrometheusMetrics, sample: str) -> float:
    """The number that stands beside a name and its labels."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", metrics.page().decode(), re.M)
    assert found, f"{sample} is not in\n{metrics.page().decode()}"
    return float(found[1])


def test_how_much_there_is(counted: Any, metrics: PrometheusMetrics) -> None:
    counted.table(players=2, options=OPTIONS)
    counted.player("Zed").do(CreateTable, options=OPTIONS)
    counted.player("Yan").lose()
    counted.time.advance(2)
    assert value(metrics, "skull_connections") == 3
    assert value(metrics, "skull_players") == 4
    assert value(metrics, 'skull_tables{stage="playing"}') == 1
    assert value(metrics, 'skull_tables{stage="waiting"}') == 1
    assert value(metrics, 'skull_tables{stage="finished"}') == 0
    assert value(metrics, "skull_saving") == 1
    counted.server.inputs.failing = True
    counted.time.advance(2)
    assert value(metrics, "skull_saving") == 0
    # Three that wait for silence, one turn clock, one absence; the sample itself is no alarm yet.
    assert value(metrics, "skull_timers") == 5


def test_requests_by_type_and_outcome(counted: Any, metrics: PrometheusMetrics) -> None:
    ann = counted.player("Ann")
    ann.do(Ping)
    ann.do(Ping)
    assert ann.refused(Say, text="x") == "not_at_table"
    assert counted.peer().hello("Ann").code == "name_taken"
    assert value(metrics, 'skull_requests_total{outcome="ok",type="Ping"}') == 2
    assert value(metrics, 'skull_requests_total{outcome="ok",type="Hello"}') == 1
    assert value(metrics, 'skull_requests_total{outcome="name_taken",type="Hello"}') == 1
    assert value(metrics, 'skull_requests_total{outcome="not_at_table",type="Say"}') == 1


def test_moves_of_people_bots_and_clocks(counted: Any, metrics: PrometheusMetrics) -> None:
    (ann,) = counted.table(players=1, bots=1, options=OPTIONS)
    counted.wait(5, ann)  # the bot places
    act = ann.last(Update).you.choices.actions()[0]
    assert isinstance(ann.act(act), Ok)
    counted.wait(200, ann)  # Ann's time runs out
    updates = [message for message in ann.inbox if isinstance(message, Update)]
    assert len(updates) > 5
    assert value(metrics, "skull_moves_total") == len(updates) - 1  # the first tells the opening


def test_refused_connections_and_clients_cut_off(counted: Any, metrics: PrometheusMetrics) -> None:
    counted.peer().send_bytes(b"GET / HTTP/1.1\r\n\r\n")
    counted.peer()
    counted.time.advance(counted.limits.hello_deadline)
    silent, deaf = counted.player("Silent"), counted.player("Deaf")
    counted.time.advance(counted.limits.silence - 1)
    deaf.reads = False
    for _ in range(counted.limits.queue_messages + 1):
        deaf.ask(Ping)
    counted.time.advance(1)
    assert not silent.open
    assert not deaf.open
    assert value(metrics, 'skull_refused_connections_total{reason="bad_frame"}') == 1
    assert value(metrics, 'skull_refused_connections_total{reason="hello_timeout"}') == 1
    assert value(metrics, 'skull_cut_off_clients_total{reason="silent"}') == 1
    assert value(metrics, 'skull_cut_off_clients_total{reason="slow"}') == 1


def test_commits(metrics: PrometheusMetrics) -> None:
    metrics.committed(0.002, 7)
    metrics.committed(0.2, 1)
    assert value(metrics, 'skull_commit_seconds_bucket{le="0.0025"}') == 1
    assert value(metrics, "skull_commit_seconds_count") == 2
    assert value(metrics, "skull_commit_entries_sum") == 8


def test_nobody_is_named(counted: Any, metrics: PrometheusMetrics) -> None:
    people = counted.table(players=2, options=OPTIONS)
    people[0].do(Say, text="my-chat-words")
    counted.time.advance(2)
    page = metrics.page().decode()
    for secret in ("Ann", "Bob", "my-chat-words", people[0].token, "10.0.0.1"):
        assert secret not in page


# -- the endpoint --------------------------------------------------------------------------------


@pytest.fixture
def endpoint(metrics: PrometheusMetrics) -> Iterator[Endpoint]:
    made = Endpoint("127.0.0.1", 0, metrics)
    yield made
    made.stop()


def scrape(endpoint: Endpoint) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{endpoint.port}/metrics", timeout=30) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        return str(answer.read().decode())


def test_a_scrape(endpoint: Endpoint, metrics: PrometheusMetrics) -> None:
    metrics.moved()
    page = scrape(endpoint)
    assert "skull_moves_total 1.0\n" in page
    assert "process_resident_memory_bytes" in page


def test_many_scrapes_make_the_page_once_a_second(metrics: PrometheusMetrics) -> None:
    now = [100.0]
    endpoint = Endpoint("127.0.0.1", 0, metrics, lambda: now[0])
    metrics.moved()
    assert "skull_moves_total 1.0\n" in scrape(endpoint)
    metrics.moved()
    assert "skull_moves_total 1.0\n" in scrape(endpoint)
    now[0] += 1.1
    assert "skull_moves_total 2.0\n" in scrape(endpoint)
    endpoint.stop()


def test_the_thread_rests_between_scrapes(endpoint: Endpoint) -> None:
    """However many ask, the thread that the game runs in has the processor most of the time."""
    began = time.monotonic()
    for _ in range(5):
        scrape(endpoint)
    assert time.monotonic() - began > 4 * prometheus._PAUSE_SECONDS


@pytest.mark.parametrize("said", [b"", b"GET", b"\x16\x03\x01", b"POST / HTTP/1.1\r\n\r\n"])
def test_a_silent_or_strange_peer_is_dropped_and_starts_no_thread(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    assert 0 < prometheus._Scrape.timeout <= 5
    monkeypatch.setattr(prometheus._Scrape, "timeout", 0.05)
    before = threading.active_count()
    with socket.create_connection(("127.0.0.1", endpoint.port)) as peer:
        peer.sendall(said)
        while peer.recv(4096):
            pass
    assert threading.active_count() == before
    assert "skull_moves_total" in scrape(endpoint)


def test_the_package_is_loaded_only_where_it_is_wanted() -> None:
    code = (
        "import sys, skull_server.server, skull_server.cli\n"
        "print('prometheus_client' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
