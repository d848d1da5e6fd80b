"""What calls return, where a message alone would be less handy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, overload

from google.protobuf.timestamp_pb2 import Timestamp

from . import v1


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """An event of a match, as this caller may see it."""

    event: v1.Event
    """The message."""
    view: v1.View | None = None
    """The position after the event; only in a watch with views."""
    clocks: v1.Clocks | None = None
    """The clocks after the event; only in a watch of a match that has clocks and is in play."""
    server_time: datetime | None = None
    """The service's time when it sent the event; only in a watch."""

    @property
    def seq(self) -> int:
        """The event's 1-based position in the match's log."""
        return self.event.seq

    @property
    def hash(self) -> bytes:
        """The event's hash in the match's hash chain."""
        return self.event.hash

    @property
    def receipt(self) -> str:
        """The receipt, `HASH@SEQ`, with which a verifier proves that the log still has the event."""
        return f"{self.event.hash.hex()}@{self.event.seq}"

    @property
    def kind(self) -> str:
        """The kind, such as `move_made`; empty for a kind that is newer than this package."""
        return self.event.WhichOneof("kind") or ""

    @property
    def time(self) -> datetime:
        """When the service recorded the event."""
        return time_of(self.event.record_time)

    @property
    def seat(self) -> int | None:
        """The seat that acted, where the event names one."""
        kind = self.kind
        body = getattr(self.event, kind) if kind else None
        if body is None or "seat" not in body.DESCRIPTOR.fields_by_name or not body.HasField("seat"):
            return None
        return int(body.seat)

    @property
    def notation(self) -> str:
        """The move in the game's notation; empty if there is none, or if it is hidden."""
        body = getattr(self.event, self.kind) if self.kind in ("move_made", "move_sealed") else None
        return "" if body is None else str(body.notation)

    @property
    def result(self) -> v1.MatchResult | None:
        """How the match ended, if this event ended it."""
        return self.event.match_ended.result if self.event.HasField("match_ended") else None


@dataclass(frozen=True, slots=True)
class Change:
    """What a call changed in a match. It is committed."""

    events: tuple[MatchEvent, ...]
    """The event of the call, and the events that followed from it."""
    view: v1.View
    """The position after these events, as the caller may see it."""

    @property
    def receipt(self) -> str:
        """The receipt of the call's event, `HASH@SEQ`."""
        return self.events[0].receipt

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.view.status == v1.MATCH_STATUS_OVER

    @property
    def result(self) -> v1.MatchResult | None:
        """How the match ended; `None` until then."""
        return self.view.result if self.view.HasField("result") else None


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move that is legal at one position."""

    notation: str
    """The move in the game's notation."""
    move: v1.Move
    """The move as a message."""
    seq: int
    """Seq of the position."""

    def __str__(self) -> str:
        return self.notation


class LegalMoves(Sequence[LegalMove]):
    """The legal moves of a seat at one position, in the game's fixed order."""

    def __init__(self, moves: Sequence[LegalMove], last: v1.ListLegalMovesResponse) -> None:
        self._moves = tuple(moves)
        self.seq = last.seq
        """Seq of the position."""
        self.seat = last.seat
        """The seat that the moves belong to."""
        self.complete = not last.next_page_token and not last.unlisted_families
        """Whether every legal move is listed."""
        self.unlisted_families = tuple(last.unlisted_families)
        """Families of moves that are too large to list: use `Seat.suggest` or `Seat.build`."""

    @overload
    def __getitem__(self, index: int) -> LegalMove: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[LegalMove]: ...

    def __getitem__(self, index: int | slice) -> LegalMove | Sequence[LegalMove]:
        return self._moves[index]

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[LegalMove]:
        return iter(self._moves)

    def __repr__(self) -> str:
        return f"LegalMoves([{', '.join(self.notations)}], seq={self.seq}, complete={self.complete})"

    @property
    def notations(self) -> list[str]:
        """The moves in the game's notation."""
        return [move.notation for move in self._moves]


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event in the feed of all matches."""

    match_id: str
    event: v1.LogEvent
    """The event as in an exported log."""
    cursor: str
    """The position after it, to continue from later."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export of many matches wrote."""

    matches: int
    """Number of files."""
    skipped: dict[str, str]
    """The reason for each match, by ID, whose log cannot be exported."""


def time_of(timestamp: Timestamp) -> datetime:
    """Returns a time in UTC."""
    return timestamp.ToDatetime(tzinfo=UTC)


class Changed(Protocol):
    """The response of a call that changed a match."""

    @property
    def events(self) -> Sequence[v1.Event]:
        """The events that the call brought about."""
        ...

    @property
    def view(self) -> v1.View:
        """The position after these events."""
        ...


def change_of(response: Changed) -> Change:
    """Returns what a call changed."""
    return Change(tuple(MatchEvent(event) for event in response.events), response.view)
