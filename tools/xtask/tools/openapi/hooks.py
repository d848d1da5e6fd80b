"""Gives schemathesis real matches and tokens: with made-up ids alone it would see little but 404.

MATCHBOOK_SERVER is the service, http://host:port.
"""

import json
import os
import urllib.request
import zlib

import schemathesis

SERVER = os.environ["MATCHBOOK_SERVER"]
GAMES = ["ace-exorcist", "ludus-magus", "angels-and-demons", "cresnovian-chess"]
SMALL = {"angelsAndDemons": {"rows": 3, "cols": 3, "turns": 1}}


def call(path, body=None, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def started(game, options=None):
    """A match with both seats claimed: its id and the tokens."""
    request = {"game": game} | ({"options": options} if options else {})
    match = call("/v1/matches", request)["match"]["matchId"]
    claim = lambda seat: call(f"/v1/matches/{match}/seats/{seat}:claim", {"playerName": "Ann"})["seatToken"]
    return match, [claim("SEAT_ZERO"), claim("SEAT_ONE")]


def finished():
    match, tokens = started("angels-and-demons", SMALL)
    for token in tokens:
        call(f"/v1/matches/{match}/moves", {"notation": "1,1"}, token)
    return match, tokens


RUNNING = [started(game) for game in GAMES]
OVER = finished()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Three cases in four, and all watches, are about a real match, and half of these come from one of its seats."""
    if case.path == "/v1/feed":
        # One that follows does not end. Whatever is no boolean is refused as it is.
        if str((case.query or {}).get("follow", True)).lower() == "true":
            case.query = (case.query or {}) | {"follow": "false"}
        return
    parameters = case.path_parameters or {}
    if "matchId" not in parameters:
        return
    # The same for the same case, so that a failure can be made again.
    seed = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    # A watch of a running match does not end, and schemathesis knows their ids from earlier answers.
    is_watch = case.path.endswith("/watch")
    if seed % 4 == 0 and not is_watch:
        return
    match, tokens = OVER if is_watch else (RUNNING + [OVER])[seed // 4 % 5]
    parameters["matchId"] = match
    if seed // 20 % 2:
        case.headers["authorization"] = f"Bearer {tokens[seed // 40 % 2]}"
