"""What a log says up to one of its events, as far as that needs no rules."""

from collections.abc import Callable
from dataclasses import dataclass, field

from .clocks import Clocks, Settings
from .log_file import Event
from .proposals import Proposals
from .refusal import OUT_OF_PLACE, TOO_LATE, UNKNOWN_SEAT, Refused
from .turns import SIMULTANEOUS, TURNS, Simultaneous, Turns


@dataclass
class Position:
    """A match after one of its events."""

    game: str
    rules_version: int
    stage: str = "empty"
    seats: int = 0
    # Each claimed seat's entropy, and the generation of its newest token.
    claimed: dict[int, bytes] = field(default_factory=dict)
    generations: dict[int, int] = field(default_factory=dict)
    # The sealed choices of this turn.
    chosen: dict[int, Event] = field(default_factory=dict)
    proposals: Proposals = field(default_factory=lambda: Proposals(True))
    settings: Settings | None = None
    # None if the match has no clocks, or this program does not know whose turn it is.
    clocks: Clocks | None = None
    # Who made the moves in effect, a parent's included.
    movers: list[int] = field(default_factory=list)
    # The seqs of the choices that the last reveal opened.
    revealed: list[int] = field(default_factory=list)
    has_started: bool = False
    has_moved: bool = False
    # The seq of the last move or reveal.
    moved_at: int | None = None
    setup_seed: bytes = b""
    commitment: bytes | None = None
    server: bytes | None = None

    @property
    def turns(self) -> Turns | Simultaneous | None:
        """How turns follow in this game, if this program knows it."""
        return TURNS.get((self.game, self.rules_version))

    @property
    def has_clocks(self) -> bool:
        """Whether the match has clocks."""
        return self.settings is not None

    def check_due(self, event: Event, name: str) -> None:
        """Checks that nothing comes before an event that is due."""
        if self.stage == "open" and self.seats == len(self.claimed):
            require(name == "started", event)
        if self.stage == "running" and self.seats == len(self.chosen):
            require(name == "revealed", event)
        if name != "ended" and self.late(event.time):
            is_move = name in ("made", "sealed")
            check, reason = ("clocks", TOO_LATE) if is_move else ("structure", OUT_OF_PLACE)
            raise Refused(event.seq, check, reason)

    def late(self, at: int) -> bool:
        """Returns whether a seat has lost on time."""
        return self.stage == "running" and self.clocks is not None and bool(self.clocks.late(at))

    def run_clocks(self, at: int, next_mover: Callable[[], int | None]) -> None:
        """Runs the clocks of the seats to act."""
        if self.clocks is None:
            return
        to_act = self.to_act()
        if len(to_act) > 1 and self.turns is not SIMULTANEOUS:
            known = to_act & {next_mover()}
            self.clocks.run(known or to_act, at, is_certain=bool(known))
        else:
            self.clocks.run(to_act, at, is_certain=True)

    def to_act(self) -> set[int]:
        """Returns the seats that may be to act, if the rules have not ended the match."""
        if self.turns is SIMULTANEOUS:
            return set(range(self.seats)) - set(self.chosen)
        assert self.turns is not None
        return self.turns(self.movers)

    def seat(self, event: Event, number: int | None) -> int:
        """Returns the seat that an event names, which it must."""
        if number is None or number >= self.seats:
            raise Refused(event.seq, "structure", UNKNOWN_SEAT)
        return number


def require(holds: bool, event: Event, reason: str = OUT_OF_PLACE) -> None:
    """Refuses an event unless a condition of its structure holds."""
    if not holds:
        raise Refused(event.seq, "structure", reason)
