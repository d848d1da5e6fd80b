"""How a match may end, as far as that needs no rules."""

from collections.abc import Set
from typing import TYPE_CHECKING

from .log_file import Event
from .proposals import DRAW
from .refusal import OUT_OF_PLACE, WRONG_RESULT, Refused
from .schema import Fields

if TYPE_CHECKING:
    from .position import Position

# An outcome, and each seat's rank.
Ranks = tuple[int, list[int]]

# What ended a match.
BY_RULES, BY_SEAT, BY_SERVICE = 1, 2, 3
# How a match came out.
WIN, DRAWN, NO_OUTCOME = 1, 2, 3

# The reasons of endings outside the rules.
SERVICE_REASONS = {"resignation", "agreement", "time", "aborted", "expired"}

GAMES_OF_CHANCE = {"ace-exorcist"}


def check_end(position: "Position", event: Event, ended: Fields) -> None:
    """Checks that a match can end here, by these means, with this result."""
    result = ended["result"]
    ranks = read_standings(position, event, result)
    by, reason = ended["ended_by"], result["reason"]
    seat = None if ended["seat"] is None else position.seat(event, ended["seat"])
    if by == BY_SEAT and seat is not None:
        fits = not position.late(event.time) and by_seat(position, seat, reason, ranks)
    elif by == BY_SERVICE and seat is None:
        fits = by_service(position, event.time, reason, ranks)
    elif by == BY_RULES and seat is None:
        fits = by_rules(position, event, reason, ranks)
    else:
        fits = False
    if not fits:
        raise Refused(event.seq, "result", WRONG_RESULT)


def read_standings(position: "Position", event: Event, result: Fields) -> Ranks:
    """Returns the outcome and each seat's rank. There are ranks exactly if there is an outcome."""
    standings = result["standings"]
    seats = [position.seat(event, standing["seat"]) for standing in standings]
    if seats != ([] if result["outcome"] == NO_OUTCOME else list(range(position.seats))):
        raise Refused(event.seq, "result", WRONG_RESULT)
    return result["outcome"], [standing["rank"] for standing in standings]


def by_seat(position: "Position", seat: int, reason: str, ranks: Ranks) -> bool:
    """Returns whether a seat can end the match for this reason with these ranks."""
    if reason == "resignation":
        return position.stage == "running" and ranks == lost_by(position, {seat})
    if reason == "agreement":
        agrees = position.stage == "running" and position.proposals.may_answer(seat, DRAW)
        return agrees and ranks == drawn(position)
    if reason == "aborted":
        return may_abort(position, seat) and ranks == (NO_OUTCOME, [])
    return False


def may_abort(position: "Position", seat: int) -> bool:
    """Returns whether a seat may abort the match: until the first move, or the start in a game of chance."""
    if seat not in position.claimed:
        return False
    if position.stage == "open":
        return True
    return not position.has_moved and position.game not in GAMES_OF_CHANCE


def by_service(position: "Position", at: int, reason: str, ranks: Ranks) -> bool:
    """Returns whether a deadline can end the match for this reason with these ranks."""
    if reason == "expired":
        waits = position.stage == "open" and len(position.claimed) < position.seats
        return waits and ranks == (NO_OUTCOME, [])
    if reason != "time" or position.stage != "running" or not position.has_clocks:
        return False
    clocks = position.clocks
    if clocks is None:
        # Whose clock ran is for the rules to say.
        return any_result(position, ranks)
    if clocks.is_certain:
        late = clocks.late(at)
        return bool(late) and ranks == lost_by(position, late)
    losers = [loser for loser in range(position.seats) if ranks == lost_by(position, {loser})]
    return any(clocks.lost(loser, at) for loser in losers)


def by_rules(position: "Position", event: Event, reason: str, ranks: Ranks) -> bool:
    """Returns whether the rules can end the match for this reason with these ranks, as far as they are known.

    They do so with the last move, so nothing else comes before the end.
    """
    if position.moved_at is None or reason in SERVICE_REASONS or not any_result(position, ranks):
        return False
    if position.moved_at != event.seq - 1:
        raise Refused(position.moved_at + 1, "structure", OUT_OF_PLACE)
    return True


def lost_by(position: "Position", losers: Set[int]) -> Ranks:
    """Returns outcome and ranks of a match that these seats lost; a draw if all did."""
    winners = position.seats - len(losers)
    if winners == 0:
        return drawn(position)
    return WIN, [winners + 1 if seat in losers else 1 for seat in range(position.seats)]


def drawn(position: "Position") -> Ranks:
    """Returns outcome and ranks of a draw."""
    return DRAWN, [1] * position.seats


def any_result(position: "Position", ranks: Ranks) -> bool:
    """Returns whether outcome and ranks are those of any win or draw."""
    losers = {seat for seat, rank in enumerate(ranks[1]) if rank != 1}
    return ranks in (lost_by(position, losers), drawn(position)) and (ranks[0] == DRAWN or bool(losers))
