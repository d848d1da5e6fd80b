"""Why a call failed: the service refused it, or is away. `refusals` has an exception for each reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from . import v1


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
    package is a plain `Refused`, which passes if the service says when to retry.
    """

    reasons: ClassVar[dict[str, type["Refused"]]] = {}
    retry: ClassVar[v1.Retry.ValueType] = v1.RETRY_WITH_RETRY_INFO

    def __init_subclass__(cls, reason: str, retry: v1.Retry.ValueType) -> None:
        cls.retry = retry
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
        if self.retry == v1.RETRY_WITH_RETRY_INFO:
            return self._retry_after is not None
        return self.retry == v1.RETRY_YES
