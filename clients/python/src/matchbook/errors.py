"""Why a call failed: one exception for each reason of the service, and for a service that is away."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


class MatchbookError(Exception):
    """A failed call."""

    @property
    def retry_after(self) -> float | None:
        """How many seconds the service asks callers to wait before they retry."""
        return None

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later."""
        return False


class Unreachable(MatchbookError):
    """No answer arrived. A change may have taken effect nevertheless."""

    def __init__(self, server: str, cause: str) -> None:
        super().__init__(f"cannot reach the service at {server}: {cause}")
        self.server = server
        self.cause = cause

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later."""
        return True


class InsecureConnection(Unreachable):
    """TLS failed: the server's certificate is not trusted, or one side does not speak TLS."""

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later."""
        return False


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """An invalid field of a request."""

    path: str
    """The field in the request, in proto spelling, such as `options.angels_and_demons.rows`."""
    description: str
    """What the field must be."""


class Refused(MatchbookError):
    """The service refused the call. Each reason has a class of its own, such as `IllegalMove`.

    A refused call changed nothing; the one exception is `OutcomeUnknown`. A reason that is newer than this
    package is a plain `Refused`.
    """

    reasons: ClassVar[dict[str, type["Refused"]]] = {}
    passes: ClassVar[bool] = False

    def __init_subclass__(cls, reason: str, passes: bool = False) -> None:
        cls.passes = passes
        Refused.reasons[reason] = cls

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        code: str = "",
        metadata: Mapping[str, str] | None = None,
        fields: tuple[FieldViolation, ...] = (),
        retry_after: float | None = None,
        call_id: str = "",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """The reason of docs/api.md, such as `ILLEGAL_MOVE`; empty if the service itself did not answer."""
        self.message = message
        """What is wrong and what to do, for a person."""
        self.code = code
        """The gRPC status code, such as `FAILED_PRECONDITION`."""
        self.metadata: Mapping[str, str] = metadata or {}
        """Facts for programs by name."""
        self.fields = fields
        """The invalid fields, if fields are the cause."""
        self.call_id = call_id
        """The call's ID in the service's log, to quote to the operator."""
        self._retry_after = retry_after

    @classmethod
    def of(cls, reason: str) -> type["Refused"]:
        """Returns the class for a reason."""
        return cls.reasons.get(reason, Refused)

    @property
    def paragraph(self) -> str | None:
        """The paragraph of the rules that forbids a move, such as `AD-4`."""
        return self.metadata.get("paragraph")

    @property
    def actual_seq(self) -> int | None:
        """The seq of the match's newest event, where the refusal names it."""
        seq = self.metadata.get("actual_seq", "")
        return int(seq) if seq.isdecimal() else None

    @property
    def retry_after(self) -> float | None:
        """How many seconds the service asks callers to wait before they retry."""
        return self._retry_after

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later; after `OutcomeUnknown` it may also have taken effect."""
        if type(self) in (Refused, UnknownSeq):
            # With `min_seq`, the replica may be behind. A reason newer than this package passes if the
            # service says when to retry.
            return self._retry_after is not None
        return self.passes


class InvalidArgument(Refused, reason="INVALID_ARGUMENT"):
    """A field is missing, malformed or out of range; `fields` names it."""


class UnknownGame(Refused, reason="UNKNOWN_GAME"):
    """The service does not have this game."""


class UnknownMatch(Refused, reason="UNKNOWN_MATCH"):
    """The match does not exist, or the caller may not know it."""


class MissingToken(Refused, reason="MISSING_TOKEN"):
    """The call requires a seat's token."""


class BadToken(Refused, reason="BAD_TOKEN"):
    """A credential is not valid here; metadata `credential` says which."""


class NotAllowed(Refused, reason="NOT_ALLOWED"):
    """The caller may not see or do this."""


class SeatTaken(Refused, reason="SEAT_TAKEN"):
    """The seat is already claimed."""


class MatchNotStarted(Refused, reason="MATCH_NOT_STARTED"):
    """A seat is still unclaimed."""


class MatchOver(Refused, reason="MATCH_OVER"):
    """The match is over."""


class MatchNotOver(Refused, reason="MATCH_NOT_OVER"):
    """The open view is available once the match is over."""


class NotYourTurn(Refused, reason="NOT_YOUR_TURN"):
    """The seat is not to act, or has already chosen in this turn."""


class IllegalMove(Refused, reason="ILLEGAL_MOVE"):
    """The rules forbid the move; `paragraph` names the rule."""


class IllegalChoice(Refused, reason="ILLEGAL_CHOICE"):
    """An answer is not among the choices; metadata `index` is its 0-based index."""


class StalePosition(Refused, reason="STALE_POSITION"):
    """The position has changed; `actual_seq` is the seq of the newest event."""


class UnknownSeq(Refused, reason="UNKNOWN_SEQ"):
    """The match has not reached this seq; `actual_seq` is the seq of the newest event."""


class RequestIdReused(Refused, reason="REQUEST_ID_REUSED"):
    """The `request_id` was used for a call with other content."""


class Overloaded(Refused, reason="OVERLOADED", passes=True):
    """The service has more work than it accepts, or its database is away."""


class TooManyStreams(Refused, reason="TOO_MANY_STREAMS", passes=True):
    """More streams are open than the service or this caller may have."""


class OutcomeUnknown(Refused, reason="OUTCOME_UNKNOWN", passes=True):
    """The call may or may not have taken effect."""


class MessageTooLarge(Refused, reason="MESSAGE_TOO_LARGE"):
    """The request exceeds the size limit."""


class ShuttingDown(Refused, reason="SHUTTING_DOWN", passes=True):
    """The service is stopping."""


class Internal(Refused, reason="INTERNAL"):
    """A fault of the service; only its log has the cause."""


class RateLimited(Refused, reason="RATE_LIMITED", passes=True):
    """The caller, or its address, exceeds its rate."""


class NoProposal(Refused, reason="NO_PROPOSAL"):
    """The other seat has no open proposal of this kind."""


class AlreadyProposed(Refused, reason="ALREADY_PROPOSED"):
    """A proposal of this kind is open, or the seat has made one since its last move."""


class TooLateToAbort(Refused, reason="TOO_LATE_TO_ABORT"):
    """A move was made, or a game with chance has started: resign instead."""


class NotForkable(Refused, reason="NOT_FORKABLE"):
    """The position cannot be forked."""


class SeatNotClaimed(Refused, reason="SEAT_NOT_CLAIMED"):
    """Nobody has claimed the seat, so it has no token to rotate."""


class MissingKey(Refused, reason="MISSING_KEY"):
    """The call requires an API key."""


class UnknownRulesVersion(Refused, reason="UNKNOWN_RULES_VERSION"):
    """This replica lacks the rules version that the match is pinned to."""


class HistoryChanged(Refused, reason="HISTORY_CHANGED"):
    """The database lost events that were shown: start again from the first event."""


class TooManyRotations(Refused, reason="TOO_MANY_ROTATIONS"):
    """The seat's token was replaced as often as a match allows."""


class ExternalIdTaken(Refused, reason="EXTERNAL_ID_TAKEN"):
    """Another match has this ID; metadata `match_id` names it."""


class UnknownWebhook(Refused, reason="UNKNOWN_WEBHOOK"):
    """The webhook does not exist, or belongs to another API key."""


class TooManyWebhooks(Refused, reason="TOO_MANY_WEBHOOKS"):
    """The API key has its maximum of webhooks."""


class WebhooksOff(Refused, reason="WEBHOOKS_OFF"):
    """The service is configured without webhooks."""


class TakebackForbidden(Refused, reason="TAKEBACK_FORBIDDEN"):
    """No move of this match can be taken back."""


class NothingToTakeBack(Refused, reason="NOTHING_TO_TAKE_BACK"):
    """The seat has no move that can be taken back."""
