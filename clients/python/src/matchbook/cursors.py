"""How far a stream has been read, and so where the next one starts."""

from typing import Protocol, TypeVar

from google.protobuf.message import Message

from . import v1
from .values import FeedEvent, MatchEvent, time_of

Q_co = TypeVar("Q_co", bound=Message, covariant=True)
A_contra = TypeVar("A_contra", bound=Message, contravariant=True)
T_co = TypeVar("T_co", covariant=True)


class Cursor(Protocol[Q_co, A_contra, T_co]):
    """What is read over as many streams as it takes."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing follows the last frame received."""
        ...

    def request(self) -> Q_co:
        """Returns the request for a stream behind the last frame received."""
        ...

    def receive(self, frame: A_contra) -> T_co | None:
        """Records a frame as received and returns what the reader has yet to see of it."""
        ...

    def is_progress(self, frame: A_contra) -> bool:
        """Returns whether a frame proves that the stream works, so that failures count from zero again."""
        ...


class WatchCursor:
    """How far a match has been watched."""

    def __init__(self, match_id: str, after_seq: int | None, after_hash: bytes | None, views: bool) -> None:
        if after_hash is not None and not after_seq:
            raise ValueError("after_hash is the hash of the event at after_seq, which must be above 0")
        self.match_id = match_id
        self.seq = after_seq
        """The last event received, or where the caller wants to start."""
        self.hash = after_hash
        """The hash of that event, if it was received."""
        self.views = views
        self.start_view: v1.View | None = None
        """The position where the watch began."""
        self.spectators: int | None = None
        self.is_complete = False

    def request(self) -> v1.WatchMatchRequest:
        """Returns the request for a stream behind the last event received."""
        return v1.WatchMatchRequest(
            match_id=self.match_id, after_seq=self.seq, after_hash=self.hash, include_view=self.views
        )

    def receive(self, frame: v1.WatchMatchResponse) -> MatchEvent | None:
        """Records a frame; returns its event if the reader has yet to see it."""
        if frame.HasField("start"):
            self._start(frame)
        elif frame.HasField("heartbeat"):
            self.spectators = frame.heartbeat.spectator_count
        elif frame.HasField("event"):
            return self._event(frame)
        return None

    def is_progress(self, frame: v1.WatchMatchResponse) -> bool:
        """Returns whether a frame proves that the stream works.

        A service that sends the start and breaks off each time makes no progress.
        """
        return frame.HasField("event") or frame.HasField("heartbeat")

    def _start(self, frame: v1.WatchMatchResponse) -> None:
        seq = frame.view.seq
        is_over = frame.view.status == v1.MATCH_STATUS_OVER
        self.is_complete = is_over and seq >= frame.start.head_seq
        if self.seq is None:
            self.seq = seq
        if self.seq == seq and frame.start.after_hash:
            self.hash = frame.start.after_hash
        if self.start_view is None and frame.HasField("view"):
            self.start_view = frame.view

    def _event(self, frame: v1.WatchMatchResponse) -> MatchEvent | None:
        event = frame.event
        self.is_complete = event.HasField("match_ended")
        if self.seq is not None and event.seq <= self.seq:
            return None
        self.seq, self.hash = event.seq, event.hash
        return MatchEvent(
            event,
            view=frame.view if frame.HasField("view") else None,
            clocks=frame.clocks if frame.HasField("clocks") else None,
            server_time=time_of(frame.server_time),
        )


class FeedCursor:
    """How far the feed of all matches has been read."""

    def __init__(self, after: str, follow: bool) -> None:
        self.cursor = after
        self.follow = follow
        self.is_complete = False

    def request(self) -> v1.StreamFeedRequest:
        """Returns the request for a stream behind the last frame received."""
        return v1.StreamFeedRequest(after=self.cursor, follow=self.follow)

    def receive(self, frame: v1.StreamFeedResponse) -> FeedEvent | None:
        """Records a frame; returns its event, if it has one."""
        self.cursor = frame.cursor
        if frame.HasField("heartbeat"):
            self.is_complete = frame.heartbeat.caught_up and not self.follow
        if not frame.HasField("event"):
            return None
        return FeedEvent(frame.event.match_id, frame.event.event, frame.cursor)

    def is_progress(self, frame: v1.StreamFeedResponse) -> bool:
        """Returns whether a frame proves that the stream works: each does."""
        return True
