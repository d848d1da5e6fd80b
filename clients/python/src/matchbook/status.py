"""What a failed call of gRPC means."""

from typing import Protocol, cast

import grpc
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from .errors import FieldViolation, InsecureConnection, MatchbookError, Unreachable
from .refusals import Refused

# What gRPC says if the connection broke while a call was running; the code differs.
BROKEN_STREAM = ("Received RST_STREAM", "Stream removed", "Socket closed", "Connection reset")
# What gRPC says if no retry can help.
FAILED_TLS = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER", "Hostname Verification Check failed")


class _FailedCall(Protocol):
    """A call that failed, of either transport."""

    def code(self) -> grpc.StatusCode: ...

    def details(self) -> str | None: ...

    def trailing_metadata(self) -> object: ...


def error_of(failed: grpc.RpcError, server: str) -> MatchbookError:
    """Returns the exception for a failed call."""
    call = cast(_FailedCall, failed)
    trailers = _pairs(call.trailing_metadata())
    code, text = call.code(), call.details() or ""
    encoded = trailers.get("grpc-status-details-bin", b"")
    details = _details(encoded if isinstance(encoded, bytes) else encoded.encode("latin-1"))
    info = details.info
    if info is None:
        # Only the service knows a reason, so without one the network or gRPC itself failed.
        if any(mark in text for mark in FAILED_TLS):
            return InsecureConnection(server, text)
        lost = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        if code in lost or any(mark in text for mark in BROKEN_STREAM):
            return Unreachable(server, text)
    reason = info.reason if info is not None else ""
    return Refused.of(reason)(
        reason,
        text,
        code=code.name,
        metadata=dict(info.metadata) if info is not None else {},
        fields=details.fields,
        retry_after=details.retry_after,
        call_id=str(trailers.get("matchbook-call-id", "")),
    )


class _Details:
    """The messages in a status."""

    def __init__(self) -> None:
        self.info: error_details_pb2.ErrorInfo | None = None
        self.fields: tuple[FieldViolation, ...] = ()
        self.retry_after: float | None = None


def _details(encoded: bytes) -> _Details:
    details = _Details()
    try:
        status = status_pb2.Status.FromString(encoded)
    except ValueError:  # of which protobuf's DecodeError is a kind
        return details
    info, request, retry = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
        error_details_pb2.RetryInfo(),
    )
    for detail in status.details:
        if detail.Unpack(info):
            details.info = info
        elif detail.Unpack(request):
            violations = request.field_violations
            details.fields = tuple(FieldViolation(field.field, field.description) for field in violations)
        elif detail.Unpack(retry):
            details.retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
    return details


def _pairs(metadata: object) -> dict[str, str | bytes]:
    """Returns metadata of either transport as a dictionary."""
    return {key: value for key, value in cast("list[tuple[str, str | bytes]]", metadata or [])}
