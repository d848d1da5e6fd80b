"""One match, without a seat of it."""

import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf.field_mask_pb2 import FieldMask

from .. import v1
from ..cursors import WatchCursor
from ..exports import LogWriter, progress_bar
from ..requests import Visibility, new_claim_secret, player, visibility_of
from ..retry import Backoff
from ..settings import token_metadata
from ..values import LegalMove, LegalMoves, MatchEvent
from .calls import AsyncCalls
from .paging import pages
from .streams import AsyncWatch

if TYPE_CHECKING:
    from .seat import AsyncSeat


class AsyncMatch:
    """One match, as everyone sees it who holds none of its seats."""

    def __init__(
        self,
        calls: AsyncCalls,
        match_id: str,
        info: v1.Match | None = None,
        previous: "AsyncSeat | None" = None,
    ) -> None:
        self.calls = calls
        """Every RPC of the service, with the credentials that this object has."""
        self._previous = previous
        self.match_id = match_id
        """The match's ID, a UUID."""
        self.info = info
        """The match as the call described it that returned this object; `None` if no call did."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.match_id!r})"

    async def get(self) -> v1.Match:
        """Returns the match: game, seats, status, result.

        >>> match = await client.create_match("angels-and-demons")
        >>> found = await match.get()
        >>> [seat.title for seat in found.seats]
        ['Angels', 'Demons']
        """
        return (await self._get()).match

    async def count_spectators(self) -> int:
        """Returns how many spectators watch the match on this replica of the service."""
        return (await self._get()).spectator_count

    async def _get(self) -> v1.GetMatchResponse:
        return await self.calls.get_match(v1.GetMatchRequest(match_id=self.match_id))

    async def view(
        self, at_seq: int | None = None, *, min_seq: int | None = None, open_view: bool = False
    ) -> v1.View:
        """Returns the position as the caller may see it, now or after an event.

        `open_view` shows everything; the match must be over. `min_seq` has a replica that is behind catch
        up first.
        """
        viewer = v1.Viewer(kind=v1.Viewer.KIND_OPEN) if open_view else None
        request = v1.GetViewRequest(match_id=self.match_id, at_seq=at_seq, min_seq=min_seq, viewer=viewer)
        return (await self.calls.get_view(request)).view

    async def legal_moves(self, seat: int | None = None, *, limit: int = 10_000) -> LegalMoves:
        """Lists what a seat can do now, at most `limit` moves; by default the caller's own seat.

        Other seats can be listed only in games without secrets.
        """
        request = v1.ListLegalMovesRequest(match_id=self.match_id, seat=seat)
        moves: list[LegalMove] = []
        while True:
            request.page_size = limit - len(moves)
            page = await self.calls.list_legal_moves(request)
            moves += [LegalMove(move.notation, move.move, page.seq) for move in page.moves]
            request.page_token = page.next_page_token
            if not page.next_page_token or len(moves) >= limit:
                return LegalMoves(moves, page)

    async def events(self, after_seq: int = 0, *, page_size: int = 0) -> AsyncIterator[MatchEvent]:
        """Lists the events up to the newest one, as the caller may see them.

        >>> match = await client.create_match("angels-and-demons")
        >>> [event.kind async for event in match.events()]
        ['match_created']
        """
        request = v1.ListEventsRequest(match_id=self.match_id, after_seq=after_seq, page_size=page_size)
        async for page in pages(self.calls.list_events, request):
            for event in page.events:
                yield MatchEvent(event)

    def watch(
        self, after_seq: int | None = None, *, after_hash: bytes | None = None, views: bool = False
    ) -> AsyncWatch:
        """Watches the match until it is over: each later event, once and in order.

        By default the watch starts after the newest event; 0 starts with the first one. With `after_hash`,
        the hash of the event at `after_seq`, it raises `HistoryChanged` if the database lost that event.
        With `views`, each event comes with the position after it.
        """
        return AsyncWatch(self.calls, WatchCursor(self.match_id, after_seq, after_hash, views))

    async def claim(
        self,
        seat: int,
        name: str,
        *,
        player_id: str | None = None,
        entropy: bytes | None = None,
        request_id: str | None = None,
        claim_secret: str | None = None,
        previous: "AsyncSeat | None" = None,
    ) -> "AsyncSeat":
        """Claims a free seat for a player; the last claim starts the match.

        `previous` is the player's seat of the match before: the seats of a rematch are reserved. A rematch
        that `Seat.rematch` returned knows it.
        `entropy` contributes to the deal, 0 to 64 bytes; by default 32 random ones. To be able to repeat the
        call after this process has ended, choose and keep `entropy`, `request_id` and `claim_secret`.

        >>> match = await client.create_match("angels-and-demons")
        >>> seat = await match.claim(0, "Ann")
        >>> seat.seat
        0
        """
        request = v1.ClaimSeatRequest(
            match_id=self.match_id,
            seat=seat,
            player=player(name, player_id),
            entropy=os.urandom(32) if entropy is None else entropy,
            request_id=request_id,
            claim_secret=claim_secret or new_claim_secret(),
        )
        previous = previous or self._previous
        calls = self.calls if previous is None else previous.calls
        response = await calls.claim_seat(request)
        return self.seat_with(response.seat_token, seat, response.match)

    def seat_with(self, token: str, seat: int | None = None, info: v1.Match | None = None) -> "AsyncSeat":
        """Returns the seat that a token authenticates. Nothing is sent."""
        from .seat import AsyncSeat

        return AsyncSeat(self.calls.with_metadata(token_metadata(token)), self.match_id, token, seat, info)

    async def rotate_token(
        self, seat: int, *, request_id: str | None = None, claim_secret: str | None = None
    ) -> "AsyncSeat":
        """Replaces a seat's token; the old one becomes void. Requires the owner's API key."""
        response = await self._rotate(seat, request_id, claim_secret)
        return self.seat_with(response.seat_token, seat, response.match)

    async def _rotate(
        self, seat: int, request_id: str | None, claim_secret: str | None
    ) -> v1.RotateSeatTokenResponse:
        request = v1.RotateSeatTokenRequest(
            match_id=self.match_id,
            seat=seat,
            request_id=request_id,
            claim_secret=claim_secret or new_claim_secret(),
        )
        return await self.calls.rotate_seat_token(request)

    async def redact_player(self, seat: int) -> v1.Match:
        """Erases the player of a seat: name, ID, and all else that the service keeps of who holds it."""
        request = v1.RedactPlayerRequest(match_id=self.match_id, seat=seat)
        return (await self.calls.redact_player(request)).match

    async def set_labels(self, labels: Mapping[str, str]) -> v1.Match:
        """Replaces the labels of the match. Requires the owner's API key."""
        mask = FieldMask(paths=["labels"])
        request = v1.UpdateMatchLabelsRequest(match_id=self.match_id, labels=labels, update_mask=mask)
        return (await self.calls.update_match_labels(request)).match

    async def fork(
        self,
        at_seq: int | None = None,
        *,
        time_control: v1.TimeControl | None = None,
        visibility: Visibility | None = None,
        request_id: str | None = None,
    ) -> "AsyncMatch":
        """Creates a match that continues from a position of this one, by default its last one in play."""
        request = v1.ForkMatchRequest(
            match_id=self.match_id,
            at_seq=at_seq,
            time_control=time_control,
            visibility=visibility_of(visibility),
            request_id=request_id,
        )
        response = await self.calls.fork_match(request)
        return self._other(response.match)

    async def rematch(
        self, *, rules_version: int | None = None, request_id: str | None = None
    ) -> "AsyncMatch":
        """Creates a rematch with seats swapped. Requires the owner's API key, or a seat: `Seat.rematch`."""
        request = v1.CreateRematchRequest(
            match_id=self.match_id, rules_version=rules_version, request_id=request_id
        )
        response = await self.calls.create_rematch(request)
        return self._other(response.match)

    def _other(self, match: v1.Match) -> "AsyncMatch":
        """Returns another match, without the credential of a seat of this one."""
        return AsyncMatch(self.calls, match.match_id, match)

    async def sign_head(self, min_seq: int | None = None) -> v1.SignHeadResponse:
        """Returns the service's signature on the newest event."""
        request = v1.SignHeadRequest(match_id=self.match_id, min_seq=min_seq)
        return await self.calls.sign_head(request)

    async def export(self, path: str | os.PathLike[str], *, progress: bool | None = None) -> None:
        """Writes the match's log to a file that verifies without the service (`python -m matchbook.audit`).

        The file appears once it is complete. A progress bar is shown on a terminal, unless `progress` says
        otherwise.
        """
        total = (await self.get()).head_seq
        backoff = Backoff(self.calls.settings.retry)
        with progress_bar("event", total, progress) as bar:
            while not await self._export_once(Path(path), bar, backoff):
                bar.reset()

    async def _export_once(self, path: Path, bar: "Any", backoff: Backoff) -> bool:
        """Exports the log; returns whether it is complete."""
        writer = LogWriter(path, bar)
        try:
            stream = self.calls.export_log(v1.ExportLogRequest(match_id=self.match_id))
            await self.calls.read_all(stream, writer, backoff)
        finally:
            writer.close()
        return writer.is_complete
