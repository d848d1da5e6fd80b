"""The public names of the package, which `matchbook` has."""

from . import v1 as v1
from ._aio.calls import AsyncCalls as AsyncCalls
from ._aio.client import AsyncMatchbook as AsyncMatchbook
from ._aio.match import AsyncMatch as AsyncMatch
from ._aio.seat import AsyncSeat as AsyncSeat
from ._aio.streams import AsyncFeed as AsyncFeed, AsyncWatch as AsyncWatch
from ._sync.calls import Calls as Calls
from ._sync.client import Matchbook as Matchbook
from ._sync.match import Match as Match
from ._sync.seat import Seat as Seat
from ._sync.streams import Feed as Feed, Watch as Watch
from .deliveries import ForgedDelivery as ForgedDelivery, open_delivery as open_delivery
from .errors import (
    FieldViolation as FieldViolation,
    InsecureConnection as InsecureConnection,
    MatchbookError as MatchbookError,
    Refused as Refused,
    Unreachable as Unreachable,
)
from .refusals import *
from .requests import (
    MatchFilter as MatchFilter,
    bank as bank,
    new_claim_secret as new_claim_secret,
    new_request_id as new_request_id,
    per_move as per_move,
)
from .retry import RetryPolicy as RetryPolicy
from .values import (
    Change as Change,
    Exported as Exported,
    FeedEvent as FeedEvent,
    LegalMove as LegalMove,
    LegalMoves as LegalMoves,
    MatchEvent as MatchEvent,
)
