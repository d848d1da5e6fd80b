"""Messages from the arguments of Python calls."""

import secrets
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypedDict, TypeVar, cast

from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from . import v1
from .values import LegalMove

Q = TypeVar("Q", bound=Message)

Options = Mapping[str, Any] | v1.GameOptions
"""Options of a game: by name, or as a message."""
Playable = str | LegalMove | v1.Move
"""A move: in notation, from a list, or as a message."""
Seconds = float | timedelta
ProposalKind = Literal["draw", "takeback"]
Status = Literal["open", "running", "over"]
Visibility = Literal["public", "unlisted", "private"]

VISIBILITIES: dict[Visibility, v1.Visibility.ValueType] = {
    "public": v1.VISIBILITY_PUBLIC,
    "unlisted": v1.VISIBILITY_UNLISTED,
    "private": v1.VISIBILITY_PRIVATE,
}
STATUSES: dict[Status, v1.MatchStatus.ValueType] = {
    "open": v1.MATCH_STATUS_OPEN,
    "running": v1.MATCH_STATUS_RUNNING,
    "over": v1.MATCH_STATUS_OVER,
}
PROPOSALS: dict[ProposalKind, v1.ProposalKind.ValueType] = {
    "draw": v1.PROPOSAL_KIND_DRAW,
    "takeback": v1.PROPOSAL_KIND_TAKEBACK,
}


class MatchFilter(TypedDict, total=False):
    """Which matches to list or export. Fields combine: a match must meet all of them.

    From `labels` on, each field requires the API key that owns the matches.
    """

    game_id: str
    status: Status
    player: str
    created_since: datetime
    created_before: datetime
    mine: bool
    labels: Mapping[str, str]
    external_id: str
    player_id: str
    player_to_act: bool
    seat_to_act: int


def new_request_id() -> str:
    """Returns a new random `request_id`."""
    return str(uuid.uuid4())


def with_request_id(request: Q) -> Q:
    """Returns a request with its `request_id`, or with a new one if it has none."""
    if getattr(request, "request_id"):
        return request
    sent = type(request)()
    sent.CopyFrom(request)
    setattr(sent, "request_id", new_request_id())
    return sent


def new_claim_secret() -> str:
    """Returns a new random `claim_secret`, of 64 characters."""
    return secrets.token_hex(32)


def per_move(move_time: Seconds) -> v1.TimeControl:
    """Returns a time control with a fixed time for each move.

    >>> per_move(30).per_move.move_time.seconds
    30
    """
    return v1.TimeControl(per_move=v1.PerMove(move_time=duration(move_time)))


def bank(budget: Seconds, increment: Seconds = 0) -> v1.TimeControl:
    """Returns a time control with a budget for the whole match, and an increment per move."""
    return v1.TimeControl(bank=v1.Bank(budget=duration(budget), increment=duration(increment)))


def duration(time: Seconds) -> Duration:
    """Returns a duration in whole milliseconds."""
    message = Duration()
    message.FromTimedelta(time if isinstance(time, timedelta) else timedelta(milliseconds=round(time * 1000)))
    return message


def game_options(game_id: str, options: Options | None) -> v1.GameOptions | None:
    """Returns a game's options as a message; an unknown name or a value of a wrong type is a ValueError."""
    if options is None or isinstance(options, v1.GameOptions):
        return options
    if not options:
        return None
    name = game_id.replace("-", "_")
    known = v1.GameOptions.DESCRIPTOR.fields_by_name
    if name not in known:
        games = ", ".join(field.replace("_", "-") for field in known)
        raise ValueError(f"this package does not know the options of {game_id}; it knows those of {games}")
    try:
        return ParseDict({name: dict(options)}, v1.GameOptions())
    except ParseError as error:
        raise ValueError(f"invalid options of {game_id}: {error}") from None


def player(name: str, player_id: str | None) -> v1.Player:
    """Returns a player."""
    return v1.Player(display_name=name, player_id=player_id)


def visibility_of(visibility: Visibility | None) -> v1.Visibility.ValueType | None:
    """Returns a visibility as a message has it."""
    return None if visibility is None else VISIBILITIES[visibility]


def strategy(name: str) -> v1.Strategy.ValueType:
    """Returns a strategy by its name.

    >>> strategy("random") == v1.STRATEGY_RANDOM
    True
    """
    known = {full.removeprefix("STRATEGY_").lower(): value for full, value in v1.Strategy.items()}
    del known["unspecified"]
    if name not in known:
        raise ValueError(f"unknown strategy {name!r}; known are {', '.join(known)}")
    return known[name]


def labels_of(filters: MatchFilter) -> list[str]:
    """Returns a filter's labels as the service takes them."""
    return [f"{key}={value}" for key, value in filters.get("labels", {}).items()]


def timestamp(time: datetime | None) -> Timestamp | None:
    """Returns a time as a message; one without a zone is local."""
    if time is None:
        return None
    message = Timestamp()
    message.FromDatetime(time.astimezone(UTC))
    return message


def list_matches(filters: MatchFilter, page_size: int) -> v1.ListMatchesRequest:
    """Returns the request for the first page of matches."""
    request = v1.ListMatchesRequest(page_size=page_size)
    _filter(request, filters)
    return request


def export_matches(filters: MatchFilter, page_token: str) -> v1.ExportMatchesRequest:
    """Returns the request for an export of matches."""
    request = v1.ExportMatchesRequest(page_token=page_token)
    _filter(request, filters)
    return request


def _filter(request: v1.ListMatchesRequest | v1.ExportMatchesRequest, filters: MatchFilter) -> None:
    for name, value in filters.items():
        if name == "status":
            request.status = STATUSES[cast(Status, value)]
        elif name == "labels":
            request.labels.extend(labels_of(filters))
        elif name in ("created_since", "created_before"):
            assert isinstance(value, datetime)
            moment = timestamp(value)
            assert moment is not None
            getattr(request, name).CopyFrom(moment)
        elif name in MatchFilter.__annotations__:
            setattr(request, name, value)
        else:
            raise TypeError(f"unknown filter {name!r}; known are {', '.join(MatchFilter.__annotations__)}")


def submit_move(
    match_id: str, move: Playable, seq: int | None, request_id: str | None = None
) -> v1.SubmitMoveRequest:
    """Returns the request for a move. A listed move is for the position that it was listed at."""
    request = v1.SubmitMoveRequest(match_id=match_id, request_id=request_id, expected_seq=seq)
    if isinstance(move, str):
        request.notation = move
    elif isinstance(move, LegalMove):
        request.move.CopyFrom(move.move)
        request.expected_seq = move.seq if seq is None else seq
    else:
        request.move.CopyFrom(move)
    return request


def check_move(match_id: str, move: Playable, seq: int | None) -> v1.CheckMoveRequest:
    """Returns the request that checks a move."""
    made = submit_move(match_id, move, seq)
    expected = made.expected_seq if made.HasField("expected_seq") else None
    if made.HasField("move"):
        return v1.CheckMoveRequest(match_id=match_id, move=made.move, expected_seq=expected)
    return v1.CheckMoveRequest(match_id=match_id, notation=made.notation, expected_seq=expected)
