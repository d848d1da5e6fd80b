"""The kinds of events: what each has, when it occurs, and what it does to a position, as far as that needs no
rules.
"""

from collections.abc import Callable
from dataclasses import dataclass

from . import ending, messages
from .clocks import Clocks, read_settings
from .log_file import Event
from .position import Position, require
from .proposals import DRAW, GAMES_WITHOUT_TAKEBACKS, TAKEBACK, Proposals
from .refusal import (
    NOT_TO_ACT,
    OUT_OF_PLACE,
    TOO_MANY_ROTATIONS,
    UNDECODABLE,
    WRONG_OPENING,
    Refused,
)
from .schema import Fields, Message
from .turns import SIMULTANEOUS

# The numbers of seats by which a game is played, as far as this program knows games.
SEATS_OF_GAMES = {
    "ace-exorcist": (2,),
    "angels-and-demons": (2,),
    "cresnovian-chess": (2,),
    "ludus-magus": (2,),
}
# The numbers of seats that a match of any game can have.
SEATS = tuple(range(1, 9))

# The generation of a seat's last token: the first one and 80 rotations.
MAX_GENERATION = 81
MAX_ENTROPY_BYTES = 64
HASH_BYTES = 32
VISIBILITIES = (1, 2, 3)


@dataclass(frozen=True)
class Kind:
    """A kind of event."""

    name: str
    # The message in its public part.
    message: Message
    # What it does to a position, or a refusal.
    step: Callable[[Position, Event, Fields], None]
    # The stages of a match in which it occurs.
    stages: tuple[str, ...]
    # What its sealed part holds: "seed", "player" or "choice"; None without a sealed part.
    sealed: str | None = None


def apply(
    position: Position, event: Event, kind: Kind, fields: Fields, next_mover: Callable[[], int | None]
) -> None:
    """Applies the next event. `next_mover` returns the seat of the next move in the log, if any."""
    require(position.stage in kind.stages, event)
    position.check_due(event, kind.name)
    kind.step(position, event, fields)
    if kind.name in ("made", "revealed"):
        position.moved_at = event.seq
    if position.stage == "running":
        position.run_clocks(event.time, next_mover)


def create(position: Position, event: Event, created: Fields) -> None:
    """Applies MatchCreated."""
    start(position, event, created["terms"])
    require(len(created["rematch_of"] or bytes(16)) == 16, event, UNDECODABLE)


def fork(position: Position, event: Event, forked: Fields) -> None:
    """Applies MatchForked."""
    start(position, event, forked["terms"])
    has_chance = position.game in ending.GAMES_OF_CHANCE
    lengths = {HASH_BYTES} if has_chance else {0} if position.turns else {0, HASH_BYTES}
    sizes = len(forked["parent_match_id"]), len(forked["parent_hash"])
    fits = sizes == (16, HASH_BYTES) and forked["parent_seq"] > 0 and len(forked["setup_seed"]) in lengths
    require(fits, event, UNDECODABLE)
    position.setup_seed = forked["setup_seed"]
    position.movers = [position.seat(event, move["seat"]) for move in forked["moves"]]


def start(position: Position, event: Event, terms: Fields) -> None:
    """Applies what both kinds of first events have."""
    position.stage = "open"
    require(terms is not None, event, UNDECODABLE)
    if (terms["game_id"], terms["rules_version"]) != (position.game, position.rules_version):
        reason = "the header names another game or rules version than the first event"
        raise Refused(event.seq, "structure", reason)
    seats = terms["seats"]
    wrong_seats = f"{position.game} is not played by {seats} seats"
    require(seats in SEATS_OF_GAMES.get(position.game, SEATS), event, wrong_seats)
    require(terms["visibility"] in VISIBILITIES, event, UNDECODABLE)
    position.seats = seats
    position.commitment = event.commitment
    position.proposals = Proposals(terms["forbid_takebacks"] or position.game in GAMES_WITHOUT_TAKEBACKS)
    if terms["time_control"] is not None:
        position.settings = read_settings(terms["time_control"])
        require(position.settings is not None, event, UNDECODABLE)


def claim(position: Position, event: Event, claimed: Fields) -> None:
    """Applies SeatClaimed."""
    seat = position.seat(event, claimed["seat"])
    require(seat not in position.claimed, event)
    require(len(claimed["entropy"]) <= MAX_ENTROPY_BYTES, event, UNDECODABLE)
    position.claimed[seat] = claimed["entropy"]
    position.generations[seat] = 1


def rotate(position: Position, event: Event, rotated: Fields) -> None:
    """Applies SeatTokenRotated, which has the next generation."""
    seat = position.seat(event, rotated["seat"])
    expected = position.generations.get(seat, 0) + 1
    require(expected <= MAX_GENERATION, event, TOO_MANY_ROTATIONS)
    require(seat in position.claimed and rotated["generation"] == expected, event)
    position.generations[seat] = expected


def begin_play(position: Position, event: Event, _: Fields) -> None:
    """Applies MatchStarted."""
    require(len(position.claimed) == position.seats, event)
    position.stage, position.has_started = "running", True
    if position.settings is not None and position.turns is not None:
        position.clocks = Clocks(position.settings, position.seats)


def make_move(position: Position, event: Event, made: Fields) -> None:
    """Applies MoveMade."""
    seat = position.seat(event, made["seat"])
    require(len(made["state_digest"]) == HASH_BYTES, event, UNDECODABLE)
    if position.turns is not None:
        require(position.turns is not SIMULTANEOUS, event)
        if seat not in position.to_act():
            raise Refused(event.seq, "moves", NOT_TO_ACT)
    position.has_moved = True
    position.movers.append(seat)
    if position.clocks is not None:
        position.clocks.stop(seat, event.time)
    clocks = position.clocks.copy() if position.clocks is not None else None
    position.proposals.move(seat, clocks)


def seal_move(position: Position, event: Event, sealed: Fields) -> None:
    """Applies MoveSealed."""
    seat = position.seat(event, sealed["seat"])
    require(position.turns in (None, SIMULTANEOUS) and seat not in position.chosen, event)
    position.has_moved = True
    position.chosen[seat] = event
    position.proposals.withdraw(seat)
    if position.clocks is not None:
        position.clocks.stop(seat, event.time)


def reveal(position: Position, event: Event, revealed: Fields) -> None:
    """Applies TurnRevealed, which opens every choice of the turn."""
    choices = revealed["choices"]
    seats = [position.seat(event, choice["seat"]) for choice in choices]
    require(len(position.chosen) == position.seats, event)
    require(len(revealed["state_digest"]) == HASH_BYTES, event, UNDECODABLE)
    if seats != list(range(position.seats)):
        raise Refused(event.seq, "commitments", WRONG_OPENING)
    position.revealed = [position.chosen[seat].seq for seat in seats]
    for seat, choice in zip(seats, choices):
        sealed = position.chosen.pop(seat)
        if not sealed.can_be_opened_by(choice["opened"]):
            raise Refused(event.seq, "commitments", WRONG_OPENING)


def propose(position: Position, event: Event, proposed: Fields) -> None:
    """Applies ProposalMade."""
    seat = position.seat(event, proposed["seat"])
    require(proposed["kind"] in (DRAW, TAKEBACK), event, UNDECODABLE)
    require(position.proposals.propose(seat, proposed["kind"]), event)


def answer(position: Position, event: Event, answered: Fields) -> None:
    """Applies ProposalAnswered."""
    seat, kind = position.seat(event, answered["seat"]), answered["kind"]
    require(kind in (DRAW, TAKEBACK), event, UNDECODABLE)
    require(position.proposals.may_answer(seat, kind), event)
    takes_back = answered["accepted"] and kind == TAKEBACK
    require(len(answered["state_digest"]) == (HASH_BYTES if takes_back else 0), event, UNDECODABLE)
    # The end of the match accepts a draw, not this event.
    require(takes_back or not answered["accepted"], event)
    if not takes_back:
        position.proposals.decline(kind)
        return
    taken = position.proposals.take_back()
    if taken is None:
        raise Refused(event.seq, "structure", OUT_OF_PLACE)
    count, position.clocks = taken
    del position.movers[-count:]


def end(position: Position, event: Event, ended: Fields) -> None:
    """Applies MatchEnded, which opens the seed."""
    require(ended["result"] is not None, event, UNDECODABLE)
    ending.check_end(position, event, ended)
    digests = HASH_BYTES if position.stage == "running" else 0
    require(len(ended["state_digest"]) == digests, event, UNDECODABLE)
    position.stage = "over"
    position.server = ended["opened_seed"][32:]


# Every kind by its number.
KINDS = {
    1: Kind("created", messages.MATCH_CREATED, create, ("empty",), sealed="seed"),
    2: Kind("forked", messages.MATCH_FORKED, fork, ("empty",), sealed="seed"),
    3: Kind("claimed", messages.SEAT_CLAIMED, claim, ("open",), sealed="player"),
    4: Kind("rotated", messages.SEAT_TOKEN_ROTATED, rotate, ("open", "running")),
    5: Kind("started", messages.MATCH_STARTED, begin_play, ("open",)),
    6: Kind("made", messages.MOVE_MADE, make_move, ("running",)),
    7: Kind("sealed", messages.MOVE_SEALED, seal_move, ("running",), sealed="choice"),
    8: Kind("revealed", messages.TURN_REVEALED, reveal, ("running",)),
    9: Kind("proposed", messages.PROPOSAL_MADE, propose, ("running",)),
    10: Kind("answered", messages.PROPOSAL_ANSWERED, answer, ("running",)),
    11: Kind("ended", messages.MATCH_ENDED, end, ("open", "running")),
}
