"""Streams that reopen themselves where they broke."""

from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

from .. import transport_aio, v1
from ..cursors import Cursor, FeedCursor, WatchCursor
from ..errors import MatchbookError, Unreachable
from ..retry import Backoff
from ..settings import Settings
from ..values import FeedEvent, MatchEvent
from .calls import AsyncCalls
from .connection import A, AsyncOpenStream, Q

T = TypeVar("T")


class AsyncResuming(Generic[Q, A, T], AsyncIterator[T]):
    """What a cursor reads, over as many streams as it takes."""

    def __init__(
        self, settings: Settings, open_stream: Callable[[Q], AsyncOpenStream[A]], cursor: Cursor[Q, A, T]
    ) -> None:
        self._server = settings.server
        self._open_stream = open_stream
        self._reading = cursor
        self._backoff = Backoff(settings.retry)
        self._stream: AsyncOpenStream[A] | None = None

    async def __anext__(self) -> T:
        while True:
            seen = None
            try:
                if self._stream is None:
                    if self._reading.is_complete:
                        break
                    self._stream = self._open_stream(self._reading.request())
                frame = await anext(self._stream)
                if self._reading.is_progress(frame):
                    self._backoff.reset()
                seen = self._reading.receive(frame)
            except StopAsyncIteration:
                await self._wait(Unreachable(self._server, "the service closed the stream"))
            except MatchbookError as error:
                await self._wait(error)
            except BaseException:
                # Cancelled or interrupted: what was received counts, and the next call opens a new stream.
                self.close()
                raise
            if self._reading.is_complete:
                self.close()
            if seen is not None:
                return seen
        raise StopAsyncIteration

    async def _wait(self, error: MatchbookError) -> None:
        """Waits before the next attempt; raises the error if none is left or none can help."""
        self.close()
        delay = None
        if error.is_transient:
            delay = self._backoff.after_failure(error.retry_after)
        if delay is None:
            self._backoff.reset()
            raise error from None
        await transport_aio.sleep(delay)

    def close(self) -> None:
        """Ends the stream that is open, if any. Reading on resumes behind the last event."""
        if self._stream is not None:
            self._stream.cancel()
            self._stream = None

    def __aiter__(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # Not every reader reads to the end.
        self.close()


class AsyncWatch(AsyncResuming[v1.WatchMatchRequest, v1.WatchMatchResponse, MatchEvent]):
    """The events of a match, each once and in order, until it is over.

    It reconnects behind the last event received. After an exception, reading on resumes there too, except
    after `HistoryChanged`: then start a new watch from the first event.
    """

    def __init__(self, calls: AsyncCalls, cursor: WatchCursor) -> None:
        super().__init__(calls.settings, calls.watch_match, cursor)
        self._cursor = cursor

    @property
    def seq(self) -> int | None:
        """Seq of the last event received, to resume with later as `after_seq`."""
        return self._cursor.seq

    @property
    def hash(self) -> bytes | None:
        """Hash of that event, to resume with later as `after_hash`; `None` if it was not received."""
        return self._cursor.hash

    @property
    def start_view(self) -> v1.View | None:
        """The position where the watch began; `None` until it has, and if it began before the first event."""
        return self._cursor.start_view

    @property
    def spectators(self) -> int | None:
        """Number of spectators that watch the match, as the last heartbeat said."""
        return self._cursor.spectators


class AsyncFeed(AsyncResuming[v1.StreamFeedRequest, v1.StreamFeedResponse, FeedEvent]):
    """The events of all matches that the caller may read, in one order, each once.

    It reconnects behind the last frame received.
    """

    def __init__(self, calls: AsyncCalls, cursor: FeedCursor) -> None:
        super().__init__(calls.settings, calls.stream_feed, cursor)
        self._cursor = cursor

    @property
    def cursor(self) -> str:
        """The position after the last frame received, to continue from later."""
        return self._cursor.cursor
