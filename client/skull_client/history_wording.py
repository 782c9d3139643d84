"""The words for games that are over: lists, files, records."""

from datetime import datetime

from skull_client.wording import name_list, say, say_count
from skull_protocol.pushes import Statistics
from skull_protocol.skull import PressedOn, SkullEvent
from skull_protocol.tables import GameStep, GameSummary, Opponent
from skull_protocol.text import shown


def ended_words(seconds: int) -> str:
    """Return when a game ended, by the clock of this machine."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def seat_name(game: GameSummary, seat: int) -> str:
    """Return what a seat is called, fit to be shown."""
    if seat < len(game.names):
        return shown(game.names[seat])
    return say("Seat {n}", n=seat + 1)


def outcome_words(game: GameSummary) -> str:
    """Tell in a word or two how it ended for this player."""
    if game.seat in game.left:
        return say("left")
    return say("won") if game.winner == game.seat else say("lost")


def winner_words(game: GameSummary) -> str:
    """Tell who won; a seat whose player had left was won by who took it over."""
    name = seat_name(game, game.winner)
    if game.winner in game.left:
        return say("a bot for {name}", name=name)
    return say("you") if game.winner == game.seat else name


def others_words(game: GameSummary) -> str:
    """Return whom this player played with."""
    others = (seat for seat in range(len(game.names)) if seat != game.seat)
    return name_list(seat_name(game, seat) for seat in others)


def totals_words(counted: Statistics) -> tuple[str, ...]:
    """Tell what was counted for this player in all, a sentence for each kind."""
    return (
        say_count(
            counted.games,
            "{n} game, {wins} won.",
            "{n} games, {wins} won.",
            wins=counted.wins,
        ),
        say(
            "Challenges: {won} won, {lost} lost.",
            won=counted.challenges_won,
            lost=counted.challenges_lost,
        ),
        say(
            "Bluffs: {held} held, {caught} caught.",
            held=counted.bluffs_held,
            caught=counted.bluffs_caught,
        ),
        say_count(
            counted.skulls_hit,
            "Your skull stopped {n} challenge of somebody else.",
            "Your skull stopped {n} challenges of others.",
        ),
    )


def opponent_head() -> tuple[str, ...]:
    """Return what `opponent_cells` count, a word each."""
    return (say("Games"), say("Wins"), say("Won"), say("Traps"))


def opponent_cells(met: Opponent) -> tuple[str, ...]:
    """Return what was counted with an opponent: games, then pairs of yours and theirs."""
    return (
        str(met.games),
        f"{met.wins}:{met.their_wins}",
        f"{met.challenges_won}:{met.their_challenges_won}",
        f"{met.stopped}:{met.stopped_by}",
    )


def counted_meanings() -> str:
    """Say what the words of the statistics mean, in lines that begin with a blank."""
    return say(
        " Each pair is yours:theirs. Wins: games. Won: challenges.\n"
        " Traps: challenges of the other that a skull stopped.\n"
        " A bluff is a bid beyond the discs on top of your skull."
    )


def most_met(counted: Statistics) -> list[Opponent]:
    """Return the opponents, those met most often first."""
    return sorted(counted.opponents, key=lambda opponent: -opponent.games)


def only_bots(game: GameSummary) -> bool:
    """Whether the others were bots, whose names no person can have."""
    others = [name for seat, name in enumerate(game.names) if seat != game.seat]
    return all(name.startswith("Bot ") for name in others)


def step_words(game: GameSummary, at: int) -> str:
    """Tell where in a game a step is; steps are counted from 0."""
    return say("Step {n} of {all}", n=at + 1, all=game.steps)


def happened(step: GameStep) -> tuple[SkullEvent, ...]:
    """Return what a step tells. Who was ready for a round is told where that is all."""
    told = tuple(event for event in step.events if not isinstance(event, PressedOn))
    return told or step.events
