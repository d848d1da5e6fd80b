"""A connection: credentials, timeouts and retries."""

from collections.abc import AsyncIterator
from typing import Protocol

import grpc

from .. import transport_aio
from ..errors import MatchbookError, Unreachable
from ..methods import A, Q, Stream, Unary, serialized
from ..retry import Backoff
from ..exports import Writer
from ..settings import SEAT_TOKEN, Metadata, Settings
from ..status import error_of


class AsyncCalls:
    """Makes calls with one set of credentials. Several share a connection."""

    def __init__(self, settings: Settings, channel: transport_aio.Channel, metadata: Metadata) -> None:
        self.settings = settings
        self._channel = channel
        self._metadata = metadata

    def with_metadata(self, metadata: Metadata) -> "AsyncCalls":
        """Returns the same connection with other credentials beside these."""
        names = {name for name, _ in metadata}
        kept = tuple(pair for pair in self._metadata if pair[0] not in names)
        return AsyncCalls(self.settings, self._channel, kept + metadata)

    def without_token(self) -> "AsyncCalls":
        """Returns the same connection without the token of a seat."""
        kept = tuple(pair for pair in self._metadata if pair[0] != SEAT_TOKEN)
        return AsyncCalls(self.settings, self._channel, kept)

    async def call(self, method: Unary[Q, A], request: Q) -> A:
        """Makes a call, and repeats it while the policy allows if that is safe."""
        backoff = Backoff(self.settings.retry)
        while True:
            try:
                return await self._attempt(method, request)
            except grpc.RpcError as failed:
                error = self.error(failed)
            delay = backoff.after_failure(error.retry_after)
            if delay is None or not error.is_transient or not method.is_repeatable(request):
                raise error
            await transport_aio.sleep(delay)

    async def _attempt(self, method: Unary[Q, A], request: Q) -> A:
        rpc: transport_aio.UnaryRpc[Q, A] = self._channel.unary_unary(
            method.path,
            request_serializer=serialized,
            response_deserializer=method.response.FromString,
        )
        return await rpc(request, timeout=self.settings.timeout, metadata=self._metadata)

    def open(self, method: Stream[Q, A], request: Q) -> "AsyncOpenStream[A]":
        """Opens a stream, which sends the request at once."""
        rpc: transport_aio.StreamRpc[Q, A] = self._channel.unary_stream(
            method.path,
            request_serializer=serialized,
            response_deserializer=method.response.FromString,
        )
        call = rpc(request, metadata=self._metadata)
        return AsyncOpenStream(call, call.__aiter__())

    async def read_all(
        self, method: Stream[Q, A], request: Q, writer: Writer[A], backoff: Backoff
    ) -> None:
        """Reads a stream into a writer until it is complete, or broken.

        Waits after a break that may pass; raises the error of any other, and of the last one.
        """
        stream = self.open(method, request)
        try:
            async for message in stream:
                writer.write(message)
            error: MatchbookError = Unreachable(self.settings.server, "the service closed the stream")
        except grpc.RpcError as failed:
            error = self.error(failed)
        finally:
            stream.cancel()
        if writer.is_complete:
            return
        delay = backoff.after_failure(error.retry_after)
        if delay is None or not error.is_transient:
            raise error
        await transport_aio.sleep(delay)

    def error(self, failed: grpc.RpcError) -> MatchbookError:
        """Returns the exception for a failed call of this client."""
        return error_of(failed, self.settings.server)

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close()


class Cancellable(Protocol):
    """A call of either transport."""

    def cancel(self) -> object:
        """Ends the call."""
        ...


class AsyncOpenStream(AsyncIterator[A]):
    """A stream that is being received."""

    def __init__(self, call: Cancellable, messages: AsyncIterator[A]) -> None:
        self._call = call
        self._messages = messages

    async def __anext__(self) -> A:
        return await anext(self._messages)

    def cancel(self) -> None:
        """Ends the stream."""
        self._call.cancel()
