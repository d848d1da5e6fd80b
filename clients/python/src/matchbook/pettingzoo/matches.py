"""The matches that environments play in."""

import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import Any

from .. import Match, Matchbook, Seat

NAMES = ("player_0", "player_1")


def begin(client: Matchbook, game_id: str, options: Mapping[str, Any], chance_seed: int | None) -> list[Seat]:
    """Starts a match and returns its seats.

    With `chance_seed` it is a fork of a match that has this seed, so it is dealt the same. The parent is made
    once per service and API key, because its calls have the same `request_id` every time. All callers of a
    service without keys share these parents.
    """
    if chance_seed is None:
        match = client.create_match(game_id, options, visibility="unlisted")
    else:
        match = fork_of_seed(client, game_id, options, chance_seed)
    return [match.claim(seat, name) for seat, name in enumerate(NAMES)]


def fork_of_seed(client: Matchbook, game_id: str, options: Mapping[str, Any], seed: int) -> Match:
    """Returns a new fork of the match with a seed, as it was when it started."""
    name = json.dumps([game_id, dict(options), seed], sort_keys=True)
    # Nobody can gain by a claim of these seats: the match is over at once.
    secret = hashlib.sha256(name.encode()).hexdigest()

    def request_id(call: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"matchbook.pettingzoo {call} {name}"))

    parent = client.create_match(game_id, options, visibility="unlisted", request_id=request_id("create"))
    seats = [
        parent.claim(seat, player, entropy=b"", request_id=request_id(player), claim_secret=secret)
        for seat, player in enumerate(NAMES)
    ]
    seats[0].resign(request_id=request_id("resign"))
    return parent.fork()


def end(seats: list[Seat]) -> None:
    """Ends a match that is running as a draw, so that it doesn't stay open."""
    proposer, other = seats
    proposer.propose("draw")
    other.accept("draw")
