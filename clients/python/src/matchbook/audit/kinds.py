"""The kinds of events: what each has and when it occurs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of event."""

    number: int
    name: str
    # What its sealed part holds: "seed", "player" or "choice"; None without a sealed part.
    sealed: str | None
    # The stages of a match in which it occurs.
    stages: tuple[str, ...]


KINDS = {
    kind.number: kind
    for kind in (
        Kind(1, "created", "seed", ("empty",)),
        Kind(2, "forked", "seed", ("empty",)),
        Kind(3, "claimed", "player", ("open",)),
        Kind(4, "rotated", None, ("open", "running")),
        Kind(5, "started", None, ("open",)),
        Kind(6, "made", None, ("running",)),
        Kind(7, "sealed", "choice", ("running",)),
        Kind(8, "revealed", None, ("running",)),
        Kind(9, "proposed", None, ("running",)),
        Kind(10, "answered", None, ("running",)),
        Kind(11, "ended", None, ("open", "running")),
    )
}
