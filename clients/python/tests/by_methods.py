"""Calls of the script through the methods that programs use, such as `seat.play` and `match.watch`."""

import inspect
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from matchbook import v1

Caller = tuple[Any, str | None]
"""A client of either kind, and the token of a seat."""

ONLY_IN_RESPONSES = ("nextPageToken", "totalSize", "headSeq")
"""What methods read themselves, and do not return."""


def as_json(value: Any) -> Any:
    """Returns a message as JSON with all its fields, and a list of them likewise."""
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return json_format.MessageToDict(value, always_print_fields_with_no_presence=True)


async def done(value: Any) -> Any:
    """Returns what a method of either client returns, all of what it iterates over."""
    if inspect.isawaitable(value):
        return await value
    if isinstance(value, AsyncIterator):
        return [item async for item in value]
    return list(value) if isinstance(value, Iterator) else value


def match_of(caller: Caller, asked: Any) -> Any:
    """Returns the match of a request, as the seat if the caller has a token."""
    client, token = caller
    return client.match(asked.match_id) if token is None else client.seat(asked.match_id, token)


def given(asked: Any, *names: str) -> dict[str, Any]:
    """Returns the fields that a request has, as arguments by name."""
    present = {field.name for field, _ in asked.ListFields()}
    return {name: getattr(asked, name) for name in names if name in present}


async def games(caller: Caller, asked: Any) -> Any:
    return {"games": as_json(await done(caller[0].games()))}


async def game(caller: Caller, asked: Any) -> Any:
    return {"game": as_json(await done(caller[0].game(asked.game_id)))}


async def keys(caller: Caller, asked: Any) -> Any:
    return {"keys": as_json(await done(caller[0].keys()))}


async def create(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "options", "time_control", "request_id", "labels", "external_id")
    if asked.visibility:
        terms["visibility"] = v1.Visibility.Name(asked.visibility).removeprefix("VISIBILITY_").lower()
    if not asked.HasField("claim"):
        return {"match": as_json((await done(caller[0].create_match(asked.game_id, **terms))).info)}
    terms.update(given(asked.claim, "claim_secret"))
    seat, name = asked.claim.seat, asked.claim.player.display_name
    made = await done(caller[0].create_and_claim(asked.game_id, seat, name, **terms))
    return {"match": as_json(made.info), "seatToken": made.token}


async def get(caller: Caller, asked: Any) -> Any:
    return {"match": as_json(await done(match_of(caller, asked).get()))}


async def get_several(caller: Caller, asked: Any) -> Any:
    return {"matches": as_json(await done(caller[0].get_matches(asked.match_ids)))}


async def find(caller: Caller, asked: Any) -> Any:
    labels = dict(label.split("=", 1) for label in asked.labels)
    return {"matches": as_json(await done(caller[0].matches(labels=labels)))}


async def claim(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "request_id", "claim_secret")
    method = match_of(caller, asked).claim
    seat = await done(method(asked.seat, asked.player.display_name, entropy=b"", **terms))
    return {"match": as_json(seat.info), "seatToken": seat.token}


async def rotate(caller: Caller, asked: Any) -> Any:
    match, terms = match_of(caller, asked), given(asked, "request_id", "claim_secret")
    if caller[1] is not None:
        return {"seatToken": await done(match.renew_token(**terms))}
    seat = await done(match.rotate_token(asked.seat, **terms))
    return {"match": as_json(seat.info), "seatToken": seat.token}


async def redact(caller: Caller, asked: Any) -> Any:
    return {"match": as_json(await done(match_of(caller, asked).redact_player(asked.seat)))}


async def label(caller: Caller, asked: Any) -> Any:
    return {"match": as_json(await done(match_of(caller, asked).set_labels(asked.labels)))}


async def view(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "at_seq", "min_seq")
    open_view = asked.viewer.kind == v1.Viewer.KIND_OPEN
    return {"view": as_json(await done(match_of(caller, asked).view(**terms, open_view=open_view)))}


async def events(caller: Caller, asked: Any) -> Any:
    found = await done(match_of(caller, asked).events(asked.after_seq))
    return {"events": [as_json(event.event) for event in found]}


async def legal_moves(caller: Caller, asked: Any) -> Any:
    seat = asked.seat if asked.HasField("seat") else None
    moves = await done(match_of(caller, asked).legal_moves(seat, limit=asked.page_size or 10_000))
    return {"moves": [{"notation": move.notation} for move in moves], "complete": moves.complete}


async def choices(caller: Caller, asked: Any) -> Any:
    return as_json(await done(match_of(caller, asked).choices(list(asked.path))))


async def check(caller: Caller, asked: Any) -> Any:
    return {"legal": await done(match_of(caller, asked).check(asked.notation)) is None}


async def suggest(caller: Caller, asked: Any) -> Any:
    how = v1.Strategy.Name(asked.strategy).removeprefix("STRATEGY_").lower()
    move = await done(match_of(caller, asked).suggest(how, **given(asked, "seed")))
    return {"notation": move.notation, "move": as_json(move.move), "seq": move.seq}


async def changed(method: Any) -> Any:
    """Returns what a change returns, as the response has it."""
    change = await done(method)
    return {"events": [as_json(event.event) for event in change.events], "view": as_json(change.view)}


async def play(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "expected_seq", "request_id")
    return await changed(match_of(caller, asked).play(asked.notation, **terms))


async def propose(caller: Caller, asked: Any) -> Any:
    kind = v1.ProposalKind.Name(asked.kind).removeprefix("PROPOSAL_KIND_").lower()
    return await changed(match_of(caller, asked).propose(kind, **given(asked, "request_id")))


async def answer(caller: Caller, asked: Any) -> Any:
    kind = v1.ProposalKind.Name(asked.kind).removeprefix("PROPOSAL_KIND_").lower()
    seat = match_of(caller, asked)
    return await changed(seat.accept(kind) if asked.accept else seat.decline(kind))


async def resign(caller: Caller, asked: Any) -> Any:
    return await changed(match_of(caller, asked).resign(**given(asked, "request_id")))


async def abort(caller: Caller, asked: Any) -> Any:
    return await changed(match_of(caller, asked).abort())


async def fork(caller: Caller, asked: Any) -> Any:
    return {"match": as_json((await done(match_of(caller, asked).fork(**given(asked, "at_seq")))).info)}


async def rematch(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "request_id", "claim_secret")
    return {"match": as_json((await done(match_of(caller, asked).rematch(**terms))).info)}


async def sign_head(caller: Caller, asked: Any) -> Any:
    return as_json(await done(match_of(caller, asked).sign_head()))


async def watch(caller: Caller, asked: Any) -> Any:
    watching = match_of(caller, asked).watch(**given(asked, "after_seq", "after_hash"))
    seen = await done(watching)
    start = {} if watching.start_view is None else {"view": as_json(watching.start_view)}
    return [start, *({"event": as_json(event.event)} for event in seen)]


async def feed(caller: Caller, asked: Any) -> Any:
    found = await done(caller[0].feed(asked.after, follow=asked.follow))
    return [{"event": {"matchId": event.match_id}, "cursor": event.cursor} for event in found]


async def export(caller: Caller, asked: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        await done(match_of(caller, asked).export(path))
        lines = path.read_text(encoding="utf-8").splitlines()
    return [json_format.MessageToDict(json_format.Parse(line, v1.ExportLogResponse())) for line in lines]


async def create_webhook(caller: Caller, asked: Any) -> Any:
    return as_json(await done(caller[0].create_webhook(asked.url, asked.kinds)))


async def get_webhook(caller: Caller, asked: Any) -> Any:
    return {"webhook": as_json(await done(caller[0].get_webhook(asked.webhook_id)))}


async def update_webhook(caller: Caller, asked: Any) -> Any:
    terms = given(asked, "url", "enabled")
    if asked.HasField("kinds"):
        terms["kinds"] = asked.kinds.kinds
    return {"webhook": as_json(await done(caller[0].update_webhook(asked.webhook_id, **terms)))}


async def delete_webhook(caller: Caller, asked: Any) -> Any:
    await done(caller[0].delete_webhook(asked.webhook_id))
    return {}


async def ping_webhook(caller: Caller, asked: Any) -> Any:
    return as_json(await done(caller[0].ping_webhook(asked.webhook_id)))


async def rotate_secret(caller: Caller, asked: Any) -> Any:
    method = caller[0].rotate_webhook_secret
    return as_json(await done(method(asked.webhook_id, asked.current_generation)))


async def dead_letters(caller: Caller, asked: Any) -> Any:
    return {"deadLetters": as_json(await done(caller[0].dead_letters(asked.webhook_id)))}


async def retry_dead_letters(caller: Caller, asked: Any) -> Any:
    method = caller[0].retry_dead_letters
    return {"retriedCount": await done(method(asked.webhook_id, asked.delivery_ids))}


METHODS: dict[str, Callable[[Caller, Any], Awaitable[Any]]] = {
    "ListGames": games,
    "GetGame": game,
    "ListKeys": keys,
    "CreateMatch": create,
    "GetMatch": get,
    "BatchGetMatches": get_several,
    "ListMatches": find,
    "ClaimSeat": claim,
    "RotateSeatToken": rotate,
    "RedactPlayer": redact,
    "UpdateMatchLabels": label,
    "GetView": view,
    "ListEvents": events,
    "ListLegalMoves": legal_moves,
    "GetChoices": choices,
    "CheckMove": check,
    "SuggestMove": suggest,
    "SubmitMove": play,
    "MakeProposal": propose,
    "AnswerProposal": answer,
    "Resign": resign,
    "AbortMatch": abort,
    "ForkMatch": fork,
    "CreateRematch": rematch,
    "SignHead": sign_head,
    "WatchMatch": watch,
    "StreamFeed": feed,
    "ExportLog": export,
    "CreateWebhook": create_webhook,
    "GetWebhook": get_webhook,
    "UpdateWebhook": update_webhook,
    "DeleteWebhook": delete_webhook,
    "PingWebhook": ping_webhook,
    "RotateWebhookSecret": rotate_secret,
    "ListDeadLetters": dead_letters,
    "RetryDeadLetters": retry_dead_letters,
}
"""The method of each RPC that has one for the script's requests."""

OF_SEATS = (
    *("GetChoices", "CheckMove", "SuggestMove", "SubmitMove"),
    *("MakeProposal", "AnswerProposal", "Resign", "AbortMatch"),
)
"""What a match without a token has no method for."""


def has_method(step: dict[str, Any], token: str | None) -> bool:
    """Returns whether a method makes a step's call, with all that the step asks for and looks at."""
    name, request = step["call"], step["request"]
    if name not in METHODS or "pageToken" in request or "seat" in request.get("viewer", {}):
        return False
    if name in OF_SEATS and token is None:
        return False
    if name in ("ListGames", "ListEvents") and "pageSize" in request:
        return False
    if name == "SubmitMove" and "notation" not in request:
        return False
    # A method repeats a call that is worth it.
    if step.get("refused", {}).get("retry"):
        return False
    expected = (path for path, value in step.get("expect", {}).items() if value != "")
    seen = (*expected, *step.get("save", {}).values())
    return not any(path.endswith(ONLY_IN_RESPONSES) for path in seen)
