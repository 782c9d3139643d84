"""The arena tells who is better, the same for the same seed, however many processes play."""

import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from skull_protocol.skull import SkullAction, SkullOptions, SkullOwn, SkullView
from skull_server.arena.cli import main
from skull_server.arena.contestants import YARDSTICKS, Unknown, maker
from skull_server.arena.match import Endless, play
from skull_server.arena.ratings import Tally, interval, rated, strengths
from skull_server.arena.yardsticks import Anything
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.levels import LEVELS

RULES = SkullOptions(first_player="random")
ODD_RULES = SkullOptions(last_chance=True, own_skull="random", practice=True, initial="together")


@pytest.mark.parametrize("rules", [RULES, ODD_RULES])
@pytest.mark.parametrize("name", [*LEVELS, *YARDSTICKS])
def test_everybody_plays_by_all_rules(name: str, rules: SkullOptions) -> None:
    for game in range(3):
        makers = [maker(name), maker("random"), maker(name)]
        assert play(makers, rules, f"{game}") in range(3)


def test_a_game_follows_from_its_seed() -> None:
    makers = [maker("normal"), maker("easy"), maker("normal-any")]
    winners = [play(makers, RULES, f"{game}") for game in range(20)]
    assert winners == [play(makers, RULES, f"{game}") for game in range(20)]
    assert len(set(winners)) > 1


class Shower(Anything):
    """Never presses on."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        if own.choices.abandon is not None:
            return next(a for a in own.choices.actions() if type(a).__name__ == "Abandon")
        return super().decide(view, own)


def test_a_game_without_end_is_given_up() -> None:
    with pytest.raises(Endless):
        play([Shower, Anything, Anything], RULES, "1")


def test_bots_are_told_what_spectators_see() -> None:
    told: list[object] = []

    class Listener(Anything):
        def see(self, events: object) -> None:
            told.append(events)

    play([Listener, Anything, Anything], RULES, "1")
    discs = [e.disc for batch in told for e in batch if type(e).__name__ == "Placed"]  # type: ignore[attr-defined]
    assert discs
    assert set(discs) == {None}


# -- figures -------------------------------------------------------------------------------------


def test_the_interval_is_as_wide_as_chance_makes_it() -> None:
    low, high = interval(625, 2500)
    assert low == pytest.approx(0.2335, abs=0.001)
    assert high == pytest.approx(0.2674, abs=0.001)
    assert interval(0, 10)[0] == 0
    assert interval(10, 10)[1] == 1
    with pytest.raises(ValueError, match="no games"):
        interval(0, 0)


def test_ratings_find_the_strengths_that_games_were_drawn_from() -> None:
    truth = {"weak": 1.0, "fair": 2.0, "strong": 4.0}
    rng = Random(1)
    tally: Tally = Counter()
    for _ in range(6000):
        table = tuple(sorted(rng.choices(list(truth), k=4)))
        winner = rng.choices(table, [truth[name] for name in table])[0]
        tally[table, winner] += 1
    found = strengths(tally)
    # Twice the chances are 120 points.
    assert found["fair"] - found["weak"] == pytest.approx(120.4, abs=25)
    assert found["strong"] - found["fair"] == pytest.approx(120.4, abs=25)
    assert sum(found.values()) == pytest.approx(0, abs=1e-6)
    for name, (middle, low, high) in rated(tally, Random(2)).items():
        assert low <= middle <= high, name
        assert 5 < high - low < 60


# -- the command ---------------------------------------------------------------------------------


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main([*arguments, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert isinstance(rows, list)
    return rows


def test_duels_are_the_same_over_any_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["duel", "normal", "random", "--seats", "2", "4", "--games", "30", "--both"]
    alone = figures(capsys, *asked, "--processes", "1")
    assert figures(capsys, *asked, "--processes", "2") == alone
    assert [(row["hero"], row["seats"]) for row in alone] == [
        ("normal", 2),
        ("normal", 4),
        ("random", 2),
        ("random", 4),
    ]
    for row in alone:
        assert row["games"] == 30
        assert row["low"] <= row["rate"] <= row["high"]  # type: ignore[operator]


def test_mixed_tables_rate_the_better_higher(capsys: pytest.CaptureFixture[str]) -> None:
    rows = figures(
        capsys, "mixed", "random", "normal", "--seats", "4", "--games", "120", "--processes", "1"
    )
    assert [row["name"] for row in rows] == ["normal", "random"]
    assert sum(row["sat"] for row in rows) == 480  # type: ignore[misc]
    assert sum(row["wins"] for row in rows) == 120  # type: ignore[misc]


def test_a_best_response_learns_and_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["best-response", "easy", "--seats", "3", "--games", "40", "--train", "96"]
    (row,) = figures(capsys, *asked, "--processes", "1")
    assert figures(capsys, *asked, "--processes", "2") == [row]
    assert row["games"] == 40
    assert row["situations"] > 20  # type: ignore[operator]
    assert row["of_its_share"] > 1  # type: ignore[operator]


def test_rules_can_be_chosen_and_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    rule = ["--rule", "last_chance=true", "--rule", "own_skull=random"]
    figures(capsys, "duel", "easy", "random", "--games", "3", "--processes", "1", *rule)
    for wrong, said in [
        (["--rule", "jokers=2"], "there is no option jokers"),
        (["--rule", "own_skull=never"], "own_skull"),
        (["--rule", "last_chance=true", "--rule", "equipment=cards"], "switch off one"),
    ]:
        with pytest.raises(SystemExit) as left:
            main(["duel", "easy", "random", *wrong])
        assert left.value.code == 2
        assert said in capsys.readouterr().err


def test_somebody_without_a_name_here_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nobody", "hard-Nobody", "no.such:Thing", "json:dumps"):
        with pytest.raises(SystemExit):
            main(["duel", "easy", name])
    assert "nobody is called nobody" in capsys.readouterr().err


def test_a_bot_of_ones_own_is_one_class_in_one_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    asked = ["duel", "own_bot:Cautious", "random", "--seats", "3", "--games", "12"]
    rows = figures(capsys, *asked, "--processes", "1")
    assert rows[0]["games"] == 12
    sys.modules.pop("own_bot", None)


def test_the_example_in_the_documents_is_this_one() -> None:
    root = Path(__file__).parents[3]
    written = (Path(__file__).parent / "own_bot.py").read_text(encoding="utf-8")
    example = written[written.index("class Cautious") :]
    assert example in (root / "docs" / "bots.md").read_text(encoding="utf-8")


def test_every_contestant_is_a_bot() -> None:
    for name in (*YARDSTICKS, "hard-Ana"):
        if name != "hard-Ana":
            assert isinstance(maker(name)(Random(1), RULES), Bot)
    with pytest.raises(Unknown):
        maker("hard-Zoe")(Random(1), RULES)
