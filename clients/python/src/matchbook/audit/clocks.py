"""Game clocks: each seat's remaining time, from record times alone. Times are in microseconds."""

from collections.abc import Set
from dataclasses import dataclass

from .schema import Fields

MILLISECOND = 1_000
# The least and the greatest time per move or budget, increment and grace period, in milliseconds.
TIMES, INCREMENTS, GRACES = (100, 2_592_000_000), (0, 86_400_000), (0, 2**32 - 1)


@dataclass(frozen=True)
class Settings:
    """The time control of a match."""

    full: int
    # None if each move has its own time.
    increment: int | None
    grace: int


@dataclass(frozen=True)
class Clock:
    """A seat's clock."""

    remaining: int
    # When it started, or None while it is stopped.
    since: int | None = None

    @property
    def due(self) -> int | None:
        """When it runs out, or None while it is stopped."""
        return None if self.since is None else self.since + self.remaining

    def left(self, at: int) -> int:
        """Returns the remaining time. Within the grace period a seat moves with no time left."""
        spent = 0 if self.since is None else at - self.since
        return max(self.remaining - spent, 0)


def read_settings(control: Fields) -> Settings | None:
    """Reads a TimeControl. Returns None if a field is missing or out of range."""
    kinds = {"move_us": control["move_us"], "bank": control["bank"]}
    if (kinds["move_us"] is None) == (kinds["bank"] is None):
        return None
    bank = kinds["bank"] or {"budget_us": kinds["move_us"], "increment_us": 0}
    ranges = ((bank["budget_us"], TIMES), (bank["increment_us"], INCREMENTS), (control["grace_us"], GRACES))
    for micros, (least, most) in ranges:
        if micros % MILLISECOND or not least <= micros // MILLISECOND <= most:
            return None
    increment = None if kinds["bank"] is None else bank["increment_us"]
    return Settings(bank["budget_us"], increment, control["grace_us"])


class Clocks:
    """The clocks of a running match."""

    def __init__(self, settings: Settings, seats: int) -> None:
        self.settings = settings
        self.seats = [Clock(settings.full) for _ in range(seats)]
        # Whether it is known which of the seats whose clocks run is to act; otherwise it is one of them.
        self.is_certain = True

    def stop(self, seat: int, at: int) -> None:
        """Stops a seat's clock because it moved: deducts the time taken and adds the increment."""
        settings = self.settings
        left = self.seats[seat].left(at)
        self.seats[seat] = Clock(settings.full if settings.increment is None else left + settings.increment)

    def run(self, to_act: Set[int], at: int, is_certain: bool) -> None:
        """Runs the clocks of these seats and stops the others."""
        self.is_certain = is_certain
        for seat, clock in enumerate(self.seats):
            if seat in to_act and clock.since is None:
                self.seats[seat] = Clock(clock.remaining, at)
            elif seat not in to_act and clock.since is not None:
                self.seats[seat] = Clock(clock.left(at))

    def late(self, at: int) -> set[int]:
        """Returns the seats that have lost on time: those due first, if that and their grace are past."""
        running = {seat: clock.due for seat, clock in enumerate(self.seats) if clock.due is not None}
        if not running:
            return set()
        decisive = min(running.values()) if self.is_certain else max(running.values())
        if decisive + self.settings.grace >= at:
            return set()
        return {seat for seat, due in running.items() if due == min(running.values())}

    def lost(self, loser: int, at: int) -> bool:
        """Returns whether one seat can have lost on time, when it is not certain which one was to act."""
        due = self.seats[loser].due
        return due is not None and due + self.settings.grace < at

    def copy(self) -> "Clocks":
        """Returns a copy."""
        other = Clocks(self.settings, 0)
        other.seats, other.is_certain = list(self.seats), self.is_certain
        return other
