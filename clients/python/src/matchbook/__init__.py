"""A client of a Matchbook service.

- `Matchbook` is the client, `AsyncMatchbook` the same for asyncio.
- `Match` is one match, `Seat` one seat of it, which plays.
- `Watch` and `Feed` are streams that survive lost connections: each event arrives once and in order.
- `Refused` and its subclasses say why the service refused a call; `Unreachable`, that no answer arrived.
- `matchbook.v1` has the messages of the API, `matchbook.audit` verifies exported logs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    AlreadyProposed, BadToken, ExternalIdTaken, FieldViolation, HistoryChanged, IllegalChoice,
    IllegalMove, InsecureConnection, Internal, InvalidArgument, MatchNotOver, MatchNotStarted, MatchOver,
    MatchbookError, MessageTooLarge, MissingKey, MissingToken, NoProposal, NotAllowed, NotForkable,
    NotYourTurn, NothingToTakeBack, OutcomeUnknown, Overloaded, RateLimited, Refused, RequestIdReused,
    SeatNotClaimed, SeatTaken, ShuttingDown, StalePosition, TakebackForbidden, TooLateToAbort,
    TooManyRotations, TooManyStreams, TooManyWebhooks, UnknownGame, UnknownMatch, UnknownRulesVersion,
    UnknownSeq, UnknownWebhook, Unreachable, WebhooksOff,
)
from .retry import RetryPolicy

if TYPE_CHECKING:
    from . import v1
    from ._aio.client import AsyncMatchbook
    from ._aio.match import AsyncMatch
    from ._aio.seat import AsyncSeat
    from ._aio.streams import AsyncFeed, AsyncWatch
    from ._sync.client import Matchbook
    from ._sync.match import Match
    from ._sync.seat import Seat
    from ._sync.streams import Feed, Watch
    from .requests import MatchFilter, bank, new_claim_secret, new_request_id, per_move
    from .values import Change, Exported, FeedEvent, LegalMove, LegalMoves, MatchEvent

__all__ = [
    "AlreadyProposed", "AsyncFeed", "AsyncMatch", "AsyncMatchbook", "AsyncSeat", "AsyncWatch", "BadToken",
    "Change", "Exported", "ExternalIdTaken", "Feed", "FeedEvent", "FieldViolation", "HistoryChanged",
    "IllegalChoice", "IllegalMove", "InsecureConnection", "Internal", "InvalidArgument", "LegalMove",
    "LegalMoves", "Match", "MatchEvent", "MatchFilter", "MatchNotOver", "MatchNotStarted", "MatchOver",
    "Matchbook", "MatchbookError", "MessageTooLarge", "MissingKey", "MissingToken", "NoProposal",
    "NotAllowed", "NotForkable", "NotYourTurn", "NothingToTakeBack", "OutcomeUnknown", "Overloaded",
    "RateLimited", "Refused", "RequestIdReused", "RetryPolicy", "Seat", "SeatNotClaimed", "SeatTaken",
    "ShuttingDown", "StalePosition", "TakebackForbidden", "TooLateToAbort", "TooManyRotations",
    "TooManyStreams", "TooManyWebhooks", "UnknownGame", "UnknownMatch", "UnknownRulesVersion",
    "UnknownSeq", "UnknownWebhook", "Unreachable", "Watch", "WebhooksOff", "bank", "new_claim_secret",
    "new_request_id", "per_move", "v1",
]

# Imported when a name of theirs is first used, so that `matchbook.audit` needs Python alone.
_MODULES = {
    "_aio.client": {"AsyncMatchbook"},
    "_aio.match": {"AsyncMatch"},
    "_aio.seat": {"AsyncSeat"},
    "_aio.streams": {"AsyncFeed", "AsyncWatch"},
    "_sync.client": {"Matchbook"},
    "_sync.match": {"Match"},
    "_sync.seat": {"Seat"},
    "_sync.streams": {"Feed", "Watch"},
    "requests": {"MatchFilter", "bank", "new_claim_secret", "new_request_id", "per_move"},
    "values": {"Change", "Exported", "FeedEvent", "LegalMove", "LegalMoves", "MatchEvent"},
}


def __getattr__(name: str) -> Any:
    if name == "v1":
        return import_module(".v1", __name__)
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "audit"]
