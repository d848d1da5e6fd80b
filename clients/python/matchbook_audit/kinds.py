"""The kinds of events: what each has and when it occurs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of event."""

    number: int
    name: str
    # What its sealed part holds: "seed", "player" or "choice"; None without a sealed part.
    sealed: str | None
    # Whether a file may open the sealed part.
    disclosed: bool
    # The stages of a match in which it occurs.
    stages: tuple[str, ...]


KINDS = {
    kind.number: kind
    for kind in (
        Kind(1, "created", "seed", False, ("empty",)),
        Kind(2, "forked", "seed", False, ("empty",)),
        Kind(3, "claimed", "player", True, ("open",)),
        Kind(4, "rotated", None, False, ("open", "running")),
        Kind(5, "started", None, False, ("open",)),
        Kind(6, "made", None, False, ("running",)),
        Kind(7, "sealed", "choice", True, ("running",)),
        Kind(8, "revealed", None, False, ("running",)),
        Kind(9, "proposed", None, False, ("running",)),
        Kind(10, "answered", None, False, ("running",)),
        Kind(11, "ended", None, False, ("open", "running")),
    )
}
