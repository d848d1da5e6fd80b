"""A connection: credentials, timeouts and retries."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import Protocol, Self, TypeVar

import grpc
from google.protobuf.message import Message

from .. import transport_aio
from ..errors import MatchbookError, Unreachable
from ..exports import Writer
from ..retry import Backoff
from ..settings import SEAT_TOKEN, Metadata, Settings
from ..status import error_of

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


class AsyncConnection:
    """Makes calls with one set of credentials. Several share a connection."""

    def __init__(self, settings: Settings, channel: transport_aio.Channel, metadata: Metadata) -> None:
        self.settings = settings
        self._channel = channel
        self._metadata = metadata

    def with_metadata(self, metadata: Metadata) -> Self:
        """Returns the same connection with other credentials beside these."""
        names = {name for name, _ in metadata}
        kept = tuple(pair for pair in self._metadata if pair[0] not in names)
        return type(self)(self.settings, self._channel, kept + metadata)

    def without_token(self) -> Self:
        """Returns the same connection without the token of a seat."""
        kept = tuple(pair for pair in self._metadata if pair[0] != SEAT_TOKEN)
        return type(self)(self.settings, self._channel, kept)

    async def _call(self, path: str, request: Q, response: type[A], *, repeatable: bool = True) -> A:
        """Makes a call, and repeats it while the policy allows if that is safe."""
        backoff = Backoff(self.settings.retry)
        while True:
            try:
                return await self._attempt(path, request, response)
            except grpc.RpcError as failed:
                error = error_of(failed, self.settings.server)
            delay = backoff.after_failure(error.retry_after)
            if delay is None or not error.is_transient or not repeatable:
                raise error
            await transport_aio.sleep(delay)

    async def _attempt(self, path: str, request: Q, response: type[A]) -> A:
        rpc: transport_aio.UnaryRpc[Q, A] = self._channel.unary_unary(
            path, request_serializer=_serialized, response_deserializer=response.FromString
        )
        return await rpc(request, timeout=self.settings.timeout, metadata=self._metadata)

    def _open(self, path: str, request: Q, response: type[A]) -> "AsyncOpenStream[A]":
        """Opens a stream, which sends the request at once."""
        rpc: transport_aio.StreamRpc[Q, A] = self._channel.unary_stream(
            path, request_serializer=_serialized, response_deserializer=response.FromString
        )
        call = rpc(request, metadata=self._metadata)
        return AsyncOpenStream(call, call.__aiter__(), self.settings.server)

    def _exchange(
        self, path: str, requests: AsyncIterable[Q], response: type[A]
    ) -> "AsyncOpenStream[A]":
        """Opens a stream in both directions, which sends the requests as they come."""
        rpc: transport_aio.ExchangeRpc[Q, A] = self._channel.stream_stream(
            path, request_serializer=_serialized, response_deserializer=response.FromString
        )
        call = rpc(requests.__aiter__(), metadata=self._metadata)
        return AsyncOpenStream(call, call.__aiter__(), self.settings.server)

    async def read_all(self, stream: "AsyncOpenStream[A]", writer: Writer[A], backoff: Backoff) -> None:
        """Reads a stream into a writer until it is complete, or broken.

        Waits after a break that may pass; raises the error of any other, and of the last one.
        """
        try:
            async for message in stream:
                writer.write(message)
            error: MatchbookError = Unreachable(self.settings.server, "the service closed the stream")
        except MatchbookError as failed:
            error = failed
        finally:
            stream.cancel()
        if writer.is_complete:
            return
        delay = backoff.after_failure(error.retry_after)
        if delay is None or not error.is_transient:
            raise error
        await transport_aio.sleep(delay)

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close()


class Cancellable(Protocol):
    """A call of either transport."""

    def cancel(self) -> object:
        """Ends the call."""
        ...


class AsyncOpenStream(AsyncIterator[A]):
    """A stream that is being received. It ends where it breaks."""

    def __init__(self, call: Cancellable, messages: AsyncIterator[A], server: str) -> None:
        self._call = call
        self._messages = messages
        self._server = server

    async def __anext__(self) -> A:
        try:
            return await anext(self._messages)
        except grpc.RpcError as failed:
            raise error_of(failed, self._server) from None

    def cancel(self) -> None:
        """Ends the stream."""
        self._call.cancel()


def _serialized(message: Message) -> bytes:
    return message.SerializeToString()
