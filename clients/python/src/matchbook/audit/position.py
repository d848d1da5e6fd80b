"""What a log says up to one of its events, as far as that needs no rules, and which event may be next."""

from dataclasses import dataclass, field

from . import ending
from .clocks import Clocks, Settings, read_settings
from .proposals import DRAW, GAMES_WITHOUT_TAKEBACKS, TAKEBACK, Proposals
from .refusal import (
    NOT_TO_ACT,
    OUT_OF_PLACE,
    TOO_LATE,
    TOO_MANY_ROTATIONS,
    UNDECODABLE,
    UNKNOWN_SEAT,
    WRONG_OPENING,
    Refused,
)
from .turns import SIMULTANEOUS, TURNS

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


@dataclass
class Position:
    """A match after one of its events."""

    game: str
    rules_version: int
    stage: str = "empty"
    seats: int = 0
    # Each claimed seat's entropy, and the generation of its newest token.
    claimed: dict = field(default_factory=dict)
    generations: dict = field(default_factory=dict)
    # The sealed choices of this turn.
    chosen: dict = field(default_factory=dict)
    proposals: Proposals = field(default_factory=lambda: Proposals(True))
    settings: Settings | None = None
    # None if the match has no clocks, or this program does not know whose turn it is.
    clocks: Clocks | None = None
    # Who made the moves in effect, a parent's included.
    movers: list = field(default_factory=list)
    # The seqs of the choices that the last reveal opened.
    revealed: list = field(default_factory=list)
    has_started: bool = False
    has_moved: bool = False
    # The seq of the last move or reveal.
    moved_at: int | None = None
    setup_seed: bytes = b""
    commitment: bytes = b""
    server: bytes | None = None

    @property
    def turns(self):
        """How turns follow in this game, if this program knows it."""
        return TURNS.get((self.game, self.rules_version))

    @property
    def has_clocks(self):
        """Whether the match has clocks."""
        return self.settings is not None

    def apply(self, event, kind, fields, next_mover):
        """Applies the next event. `next_mover` returns the seat of the next move in the log, if any."""
        require(self.stage in kind.stages, event)
        self.check_due(event, kind.name)
        STEPS[kind.name](self, event, fields)
        if kind.name in ("made", "revealed"):
            self.moved_at = event.seq
        if self.stage == "running":
            self.run_clocks(event.time, next_mover)

    def check_due(self, event, name):
        """Checks that nothing comes before an event that is due."""
        if self.stage == "open" and self.seats == len(self.claimed):
            require(name == "started", event)
        if self.stage == "running" and self.seats == len(self.chosen):
            require(name == "revealed", event)
        if name != "ended" and self.late(event.time):
            is_move = name in ("made", "sealed")
            check, reason = ("clocks", TOO_LATE) if is_move else ("structure", OUT_OF_PLACE)
            raise Refused(event.seq, check, reason)

    def late(self, at):
        """Returns whether a seat has lost on time."""
        return self.stage == "running" and self.clocks is not None and bool(self.clocks.late(at))

    def run_clocks(self, at, next_mover):
        """Runs the clocks of the seats to act."""
        if self.clocks is None:
            return
        to_act = self.to_act()
        if len(to_act) > 1 and self.turns is not SIMULTANEOUS:
            known = to_act & {next_mover()}
            self.clocks.run(known or to_act, at, is_certain=bool(known))
        else:
            self.clocks.run(to_act, at, is_certain=True)

    def to_act(self):
        """Returns the seats that may be to act, if the rules have not ended the match."""
        if self.turns is SIMULTANEOUS:
            return set(range(self.seats)) - set(self.chosen)
        return self.turns(self.movers)

    def seat(self, event, number):
        """Returns the seat that an event names, which it must."""
        if number is None or number >= self.seats:
            raise Refused(event.seq, "structure", UNKNOWN_SEAT)
        return number


def require(holds, event, reason=OUT_OF_PLACE):
    """Refuses an event unless a condition of its structure holds."""
    if not holds:
        raise Refused(event.seq, "structure", reason)


def create(position, event, created):
    """Applies MatchCreated."""
    start(position, event, created["terms"])
    require(len(created["rematch_of"] or bytes(16)) == 16, event, UNDECODABLE)


def fork(position, event, forked):
    """Applies MatchForked."""
    start(position, event, forked["terms"])
    has_chance = position.game in ending.GAMES_OF_CHANCE
    lengths = {HASH_BYTES} if has_chance else {0} if position.turns else {0, HASH_BYTES}
    sizes = len(forked["parent_match_id"]), len(forked["parent_hash"])
    fits = sizes == (16, HASH_BYTES) and forked["parent_seq"] > 0 and len(forked["setup_seed"]) in lengths
    require(fits, event, UNDECODABLE)
    position.setup_seed = forked["setup_seed"]
    position.movers = [position.seat(event, move["seat"]) for move in forked["moves"]]


def start(position, event, terms):
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


def claim(position, event, claimed):
    """Applies SeatClaimed."""
    seat = position.seat(event, claimed["seat"])
    require(seat not in position.claimed, event)
    require(len(claimed["entropy"]) <= MAX_ENTROPY_BYTES, event, UNDECODABLE)
    position.claimed[seat] = claimed["entropy"]
    position.generations[seat] = 1


def rotate(position, event, rotated):
    """Applies SeatTokenRotated, which has the next generation."""
    seat = position.seat(event, rotated["seat"])
    expected = position.generations.get(seat, 0) + 1
    require(expected <= MAX_GENERATION, event, TOO_MANY_ROTATIONS)
    require(seat in position.claimed and rotated["generation"] == expected, event)
    position.generations[seat] = expected


def begin_play(position, event, _):
    """Applies MatchStarted."""
    require(len(position.claimed) == position.seats, event)
    position.stage, position.has_started = "running", True
    if position.has_clocks and position.turns is not None:
        position.clocks = Clocks(position.settings, position.seats)


def make_move(position, event, made):
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


def seal_move(position, event, sealed):
    """Applies MoveSealed."""
    seat = position.seat(event, sealed["seat"])
    require(position.turns in (None, SIMULTANEOUS) and seat not in position.chosen, event)
    position.has_moved = True
    position.chosen[seat] = event
    position.proposals.withdraw(seat)
    if position.clocks is not None:
        position.clocks.stop(seat, event.time)


def reveal(position, event, revealed):
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


def propose(position, event, proposed):
    """Applies ProposalMade."""
    seat = position.seat(event, proposed["seat"])
    require(proposed["kind"] in (DRAW, TAKEBACK), event, UNDECODABLE)
    require(position.proposals.propose(seat, proposed["kind"]), event)


def answer(position, event, answered):
    """Applies ProposalAnswered."""
    seat, kind = position.seat(event, answered["seat"]), answered["kind"]
    require(kind in (DRAW, TAKEBACK), event, UNDECODABLE)
    require(position.proposals.may_answer(seat, kind), event)
    takes_back = answered["accepted"] and kind == TAKEBACK
    require(len(answered["state_digest"]) == (HASH_BYTES if takes_back else 0), event, UNDECODABLE)
    # The end of the match accepts a draw, not this event.
    require(takes_back or not answered["accepted"], event)
    if not takes_back:
        return position.proposals.decline(kind)
    taken = position.proposals.take_back()
    require(taken is not None, event)
    count, clocks = taken
    del position.movers[-count:]
    position.clocks = clocks


def end(position, event, ended):
    """Applies MatchEnded, which opens the seed."""
    require(ended["result"] is not None, event, UNDECODABLE)
    ending.check_end(position, event, ended)
    digests = HASH_BYTES if position.stage == "running" else 0
    require(len(ended["state_digest"]) == digests, event, UNDECODABLE)
    position.stage = "over"
    position.server = ended["opened_seed"][32:]


STEPS = {
    "created": create,
    "forked": fork,
    "claimed": claim,
    "rotated": rotate,
    "started": begin_play,
    "made": make_move,
    "sealed": seal_move,
    "revealed": reveal,
    "proposed": propose,
    "answered": answer,
    "ended": end,
}
