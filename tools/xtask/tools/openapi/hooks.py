"""Lets schemathesis call real matches with real tokens.

With generated ids alone nearly every response is a 404.
MATCHBOOK_SERVER is the service's address, http://host:port.
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
        headers["matchbook-seat-token"] = token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def create_running(game, options=None):
    """Creates a match and claims both seats. Returns its id and the seats' tokens."""
    request = {"gameId": game} | ({"options": options} if options else {})
    match = call("/v1/matches", request)["match"]["matchId"]
    ann = {"player": {"displayName": "Ann"}}
    claim = lambda seat: call(f"/v1/matches/{match}/seats/{seat}:claim", ann)["seatToken"]
    return match, [claim(0), claim(1)]


def create_finished():
    match, tokens = create_running("angels-and-demons", SMALL)
    for token in tokens:
        call(f"/v1/matches/{match}/moves", {"notation": "1,1"}, token)
    return match, tokens


RUNNING = [create_running(game) for game in GAMES]
FINISHED = create_finished()


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return {"data": value if isinstance(value, bytes) else str(value).encode()}


def moves(seed):
    """Returns a line with a move, of a real match, that is refused."""
    match, tokens = (RUNNING + [FINISHED])[seed % 5]
    move = {"matchId": match, "notation": "nonsense"}
    request = {"callId": str(seed), "seatToken": tokens[seed % 2], "move": move}
    return json.dumps(request) + "\n"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives three calls in four, and all watches, a real match; half of those also get a seat's token.

    Three streams of moves in four get a move in a real match.
    """
    if case.path == "/v1/feed":
        # A feed that follows never ends. Values that are not booleans stay: the service rejects them.
        if str((case.query or {}).get("follow", True)).lower() == "true":
            case.query = (case.query or {}) | {"follow": "false"}
        return
    if case.path == "/v1/moves:submit":
        seed = zlib.crc32(repr(case.body).encode())
        if seed % 4:
            case.body = moves(seed)
        return
    parameters = case.path_parameters or {}
    if "matchId" not in parameters:
        return
    # Derived from the call, so that a failure can be reproduced.
    seed = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    # A watch of a running match never ends, and schemathesis learns their ids from responses.
    is_watch = case.path.endswith("/watch")
    if seed % 4 == 0 and not is_watch:
        return
    match, tokens = FINISHED if is_watch else (RUNNING + [FINISHED])[seed // 4 % 5]
    parameters["matchId"] = match
    if seed // 20 % 2:
        case.headers["matchbook-seat-token"] = tokens[seed // 40 % 2]
