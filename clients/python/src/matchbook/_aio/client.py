"""The client of a service."""

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from .. import transport_aio, v1
from ..cursors import FeedCursor
from ..exports import FolderWriter, progress_bar
from ..requests import (
    MatchFilter,
    Options,
    Visibility,
    export_matches,
    game_options,
    list_matches,
    new_claim_secret,
    player,
    visibility_of,
)
from ..retry import Backoff, RetryPolicy
from ..settings import Settings, key_metadata
from ..values import Exported
from .calls import AsyncCalls
from .match import AsyncMatch
from .paging import pages
from .seat import AsyncSeat
from .streams import AsyncFeed
from .webhooks import AsyncWebhooks


class AsyncMatchbook(AsyncWebhooks):
    """A client of a Matchbook service.

    `server` is an address such as `https://play.example.org`; without a scheme it is `http`, in plaintext.
    `api_key` identifies an application. `ca_file` has the certificates to trust, in PEM form, instead of
    well-known authorities. `timeout` bounds each attempt of a call, in seconds; `retry` says how often a call
    is repeated. It connects with the first call, and again whenever the connection is lost.

    >>> async with AsyncMatchbook(server) as client:
    ...     match = await client.create_match("angels-and-demons", {"rows": 4, "cols": 4, "turns": 3})
    ...     angels = await client.claim(match, 0, "Gabriel")
    ...     demons = await client.claim(match, 1, "Lilith")
    ...     played = await angels.play("3,3")
    ...     print(played.events[0].notation)
    3,3
    """

    def __init__(
        self,
        server: str = "http://127.0.0.1:7420",
        *,
        api_key: str | None = None,
        ca_file: str | Path | None = None,
        timeout: float = 15.0,
        retry: RetryPolicy | None = None,
    ) -> None:
        settings = Settings.of(server, ca_file, timeout, retry or RetryPolicy())
        credentials = key_metadata(api_key)
        self.calls = AsyncCalls(settings, transport_aio.open_channel(settings), credentials)
        """Every RPC of the service, with this client's credentials."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.server!r})"

    @property
    def server(self) -> str:
        """The service's address, with a scheme."""
        return self.calls.settings.server

    async def close(self) -> None:
        """Closes the connection."""
        await self.calls.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def games(self) -> AsyncIterator[v1.Game]:
        """Lists the games of the service.

        >>> [game.game_id async for game in client.games()]
        ['ace-exorcist', 'ludus-magus', 'angels-and-demons', 'cresnovian-chess']
        """
        async for page in pages(self.calls.list_games, v1.ListGamesRequest()):
            for game in page.games:
                yield game

    async def game(self, game_id: str) -> v1.Game:
        """Returns one game with the text of its rules."""
        return (await self.calls.get_game(v1.GetGameRequest(game_id=game_id))).game

    async def create_match(
        self,
        game_id: str,
        options: Options | None = None,
        *,
        time_control: v1.TimeControl | None = None,
        visibility: Visibility | None = None,
        rules_version: int | None = None,
        labels: Mapping[str, str] | None = None,
        external_id: str | None = None,
        forbid_takebacks: bool = False,
        request_id: str | None = None,
    ) -> AsyncMatch:
        """Creates a match.

        `options` are the game's, by name; absent ones take their defaults. `time_control` is made by
        `per_move` or `bank`. Labels, an external ID and private visibility require an API key.

        >>> match = await client.create_match("ludus-magus", time_control=bank(300, increment=5))
        >>> match.info.time_control.bank.budget.seconds
        300
        """
        request = v1.CreateMatchRequest(
            game_id=game_id,
            options=game_options(game_id, options),
            time_control=time_control,
            visibility=visibility_of(visibility),
            rules_version=rules_version,
            labels=labels,
            external_id=external_id,
            forbid_takebacks=forbid_takebacks,
            request_id=request_id,
        )
        response = await self.calls.create_match(request)
        return AsyncMatch(self.calls, response.match.match_id, response.match)

    async def create_and_claim(
        self,
        game_id: str,
        seat: int,
        name: str,
        options: Options | None = None,
        *,
        player_id: str | None = None,
        time_control: v1.TimeControl | None = None,
        visibility: Visibility | None = None,
        request_id: str | None = None,
        claim_secret: str | None = None,
    ) -> AsyncSeat:
        """Creates a match of a game without chance and claims a seat in the same call.

        >>> angels = await client.create_and_claim("angels-and-demons", 0, "Ann")
        >>> angels.seat
        0
        """
        claim = v1.SeatClaim(
            seat=seat,
            player=player(name, player_id),
            claim_secret=claim_secret or new_claim_secret(),
        )
        request = v1.CreateMatchRequest(
            game_id=game_id,
            options=game_options(game_id, options),
            claim=claim,
            time_control=time_control,
            visibility=visibility_of(visibility),
            request_id=request_id,
        )
        response = await self.calls.create_match(request)
        match = AsyncMatch(self.calls, response.match.match_id, response.match)
        return match.seat_with(response.seat_token, seat, response.match)

    def match(self, match_id: str) -> AsyncMatch:
        """Returns a match by its ID. Nothing is sent."""
        return AsyncMatch(self.calls, match_id)

    def seat(self, match_id: str, token: str, seat: int | None = None) -> AsyncSeat:
        """Returns a seat by its match and token. Nothing is sent."""
        return self.match(match_id).seat_with(token, seat)

    async def claim(
        self,
        match: AsyncMatch | str,
        seat: int,
        name: str,
        *,
        player_id: str | None = None,
        entropy: bytes | None = None,
        request_id: str | None = None,
        claim_secret: str | None = None,
        previous: AsyncSeat | None = None,
    ) -> AsyncSeat:
        """Claims a free seat of a match for a player; see `Match.claim`."""
        found = self.match(match) if isinstance(match, str) else match
        return await found.claim(
            seat,
            name,
            player_id=player_id,
            entropy=entropy,
            request_id=request_id,
            claim_secret=claim_secret,
            previous=previous,
        )

    async def matches(self, *, page_size: int = 0, **filters: Unpack[MatchFilter]) -> AsyncIterator[v1.Match]:
        """Lists matches, newest first.

        >>> created = await client.create_match("ace-exorcist")
        >>> newest = await anext(client.matches(game_id="ace-exorcist", status="open"))
        >>> newest.match_id == created.match_id
        True
        """
        async for page in pages(self.calls.list_matches, list_matches(filters, page_size)):
            for match in page.matches:
                yield match

    async def get_matches(self, match_ids: Sequence[str]) -> list[v1.Match]:
        """Returns up to 100 matches by their IDs, or refuses all."""
        request = v1.BatchGetMatchesRequest(match_ids=match_ids)
        return list((await self.calls.batch_get_matches(request)).matches)

    async def keys(self) -> AsyncIterator[v1.SigningKey]:
        """Lists the public keys that the service signs with or has signed with."""
        async for page in pages(self.calls.list_keys, v1.ListKeysRequest()):
            for key in page.keys:
                yield key

    def feed(self, after: str = "", *, follow: bool = True) -> AsyncFeed:
        """Reads the events of all matches that the caller may read, after a cursor or from the first one.

        Without `follow` it ends once it has delivered all events up to now.
        """
        return AsyncFeed(self.calls, FeedCursor(after, follow))

    async def export_matches(
        self,
        folder: str | Path,
        *,
        page_token: str = "",
        progress: bool | None = None,
        **filters: Unpack[MatchFilter],
    ) -> Exported:
        """Writes the logs of many matches, newest first, to files `MATCH.jsonl` in a folder.

        After a cut it goes on where it was. A file appears once it is complete. A progress bar is shown on a
        terminal, unless `progress` says otherwise.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        backoff = Backoff(self.calls.settings.retry)
        with progress_bar("match", None, progress) as bar:
            writer = FolderWriter(Path(folder), page_token, bar)
            try:
                while not writer.is_complete:
                    reached = writer.page_token
                    stream = self.calls.export_matches(export_matches(filters, reached))
                    await self.calls.read_all(stream, writer, backoff)
                    if writer.page_token != reached:
                        backoff.reset()
            finally:
                writer.abandon()
        return writer.exported
