"""Plays a match of Angels and Demons through the client that openapi-generator made.

Usage: play_openapi_generator.py http://HOST:PORT
"""

import sys
import uuid

import openapi_client as api
from openapi_client.exceptions import ApiException

GAME = "angels-and-demons"
TIMEOUT_SECONDS = 30
TURNS = 3


def client(server, seat_token=None):
    configuration = api.Configuration(host=server)
    if seat_token:
        configuration.api_key["seatToken"] = seat_token
    return api.MatchServiceApi(api.ApiClient(configuration))


def create(matches):
    board = api.AngelsAndDemonsOptions(rows=4, cols=4, turns=TURNS)
    request = api.CreateMatchRequest(game_id=GAME, options=api.GameOptions(angels_and_demons=board))
    created = matches.create_match(create_match_request=request, _request_timeout=TIMEOUT_SECONDS)
    return created.match.match_id


def claim(matches, match_id, seat, name):
    request = api.ClaimSeatRequest(player=api.Player(display_name=name), request_id=uuid.uuid4())
    claimed = matches.claim_seat(
        match_id, seat, claim_seat_request=request, _request_timeout=TIMEOUT_SECONDS
    )
    return claimed.seat_token


def move(matches, match_id, choice):
    legal = matches.list_legal_moves(match_id, _request_timeout=TIMEOUT_SECONDS).moves
    chosen = legal[choice % len(legal)].move
    assert chosen.angels_and_demons is not None, chosen
    request = api.SubmitMoveRequest(move=chosen, request_id=uuid.uuid4())
    moved = matches.submit_move(
        match_id, submit_move_request=request, _request_timeout=TIMEOUT_SECONDS
    )
    return moved.view


def check_refusal(matches, match_id):
    try:
        matches.resign(match_id, _request_timeout=TIMEOUT_SECONDS)
    except ApiException as error:
        assert error.status == 409 and error.data.error.reason == "MATCH_OVER", error
    else:
        raise AssertionError("a finished match accepted a resignation")


def main(server):
    spectator = client(server)
    games = api.GameServiceApi(spectator.api_client).list_games().games
    assert GAME in [game.game_id for game in games], games
    match_id = create(spectator)
    tokens = [claim(spectator, match_id, seat, name) for seat, name in enumerate(["Ann", "Ben"])]
    players = [client(server, token) for token in tokens]
    for turn in range(TURNS):
        for seat, player in enumerate(players):
            view = move(player, match_id, 2 * turn + 5 * seat)
    assert view.status == api.MatchStatus.MATCH_STATUS_OVER, view
    shown = spectator.get_view(
        match_id, viewer_kind=api.ViewerKind.KIND_OPEN, _request_timeout=TIMEOUT_SECONDS
    )
    open_view = shown.view
    assert open_view.game_view.angels_and_demons is not None, open_view
    events = spectator.list_events(match_id, _request_timeout=TIMEOUT_SECONDS).events
    assert events[-1].match_ended.result.reason == view.result.reason, events[-1]
    assert events[-1].record_time > events[0].record_time
    check_refusal(players[0], match_id)
    print(f"openapi-generator played {match_id}: {view.result.reason}")


main(sys.argv[1])
