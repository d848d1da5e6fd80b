"""A server that answers each call as a test says."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]


class Refusal(Exception):
    """A refusal for a reason, perhaps with the time after which to retry, in seconds."""

    def __init__(self, reason: str, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after

    def encoded(self) -> bytes:
        """Returns the status as the service sends it."""
        status = status_pb2.Status(code=10, message="no")
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain="matchbook.v1", metadata={"a": "b"})
        status.details.add().Pack(info)
        violation = error_details_pb2.BadRequest.FieldViolation(field="seat", description="must be free")
        status.details.add().Pack(error_details_pb2.BadRequest(field_violations=[violation]))
        if self.retry_after is not None:
            delay = Duration(seconds=self.retry_after)
            status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
        encoded: bytes = status.SerializeToString()
        return encoded


Answer = bytes | Refusal


class Scripted(grpc.GenericRpcHandler):
    """Answers calls one after the other: a unary call with one answer, a stream with a list of them."""

    def __init__(self, answers: list[Answer | list[Answer]]) -> None:
        self._answers = iter(answers)
        self.calls: list[tuple[str, bytes, dict[str, Any]]] = []
        self._server = grpc.server(ThreadPoolExecutor(2), handlers=[self])
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """Returns the handler of a call."""
        metadata = dict(handler_call_details.invocation_metadata or ())
        answer = next(self._answers)

        def refuse(context: grpc.ServicerContext, refusal: Refusal) -> None:
            context.set_trailing_metadata(
                (("grpc-status-details-bin", refusal.encoded()), ("matchbook-call-id", "1-2"))
            )
            context.abort(grpc.StatusCode.ABORTED, "no")

        def unary(request: bytes, context: grpc.ServicerContext) -> bytes:
            self.calls.append((handler_call_details.method, request, metadata))
            if isinstance(answer, Refusal):
                refuse(context, answer)
            assert isinstance(answer, bytes)
            return answer

        def stream(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            self.calls.append((handler_call_details.method, request, metadata))
            assert isinstance(answer, list)
            for message in answer:
                if isinstance(message, Refusal):
                    refuse(context, message)
                assert isinstance(message, bytes)
                yield message

        make: Callable[..., Any] = (
            grpc.unary_stream_rpc_method_handler
            if isinstance(answer, list)
            else grpc.unary_unary_rpc_method_handler
        )
        handler: grpc.RpcMethodHandler[bytes, bytes] = make(stream if isinstance(answer, list) else unary)
        return handler

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None)
