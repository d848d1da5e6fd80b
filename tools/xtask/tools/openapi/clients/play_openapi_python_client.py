"""Plays a match of Angels and Demons through the client that openapi-python-client made.

Usage: play_openapi_python_client.py http://HOST:PORT
"""

import sys
import uuid

import httpx
from matchbook_client import Client, models
from matchbook_client.api.game_service import list_games
from matchbook_client.api.match_service import claim_seat, create_match, get_view, list_events
from matchbook_client.api.match_service import list_legal_moves, resign, submit_move

GAME = "angels-and-demons"
TURNS = 3


def client(server, seat_token=None):
    headers = {"matchbook-seat-token": seat_token} if seat_token else {}
    return Client(server, headers=headers, timeout=httpx.Timeout(30))


def create(spectator):
    board = models.AngelsAndDemonsOptions(rows=4, cols=4, turns=TURNS)
    request = models.CreateMatchRequest(game_id=GAME, options=models.GameOptions(angels_and_demons=board))
    return create_match.sync(client=spectator, body=request).match.match_id


def claim(spectator, match_id, seat, name):
    request = models.ClaimSeatRequest(player=models.Player(display_name=name), request_id=uuid.uuid4())
    return claim_seat.sync(match_id, seat, client=spectator, body=request).seat_token


def move(player, match_id, choice):
    legal = list_legal_moves.sync(match_id, client=player).moves
    chosen = legal[choice % len(legal)].move
    assert isinstance(chosen.angels_and_demons, models.AngelsAndDemonsMove), chosen
    request = models.SubmitMoveRequest(move=chosen, request_id=uuid.uuid4())
    return submit_move.sync(match_id, client=player, body=request).view


def check_refusal(player, match_id):
    refused = resign.sync_detailed(match_id, client=player, body=models.ResignRequest())
    assert refused.status_code == 409 and isinstance(refused.parsed, models.Error), refused
    assert refused.parsed.error.reason == "MATCH_OVER", refused.parsed


def main(server):
    spectator = client(server)
    games = list_games.sync(client=spectator).games
    assert GAME in [game.game_id for game in games], games
    match_id = create(spectator)
    tokens = [claim(spectator, match_id, seat, name) for seat, name in enumerate(["Ann", "Ben"])]
    players = [client(server, token) for token in tokens]
    for turn in range(TURNS):
        for seat, player in enumerate(players):
            view = move(player, match_id, 2 * turn + 5 * seat)
    assert view.status == models.MatchStatus.MATCH_STATUS_OVER, view
    open_view = get_view.sync(match_id, client=spectator, viewer_kind=models.ViewerKind.KIND_OPEN).view
    assert isinstance(open_view.game_view.angels_and_demons, models.AngelsAndDemonsView), open_view
    events = list_events.sync(match_id, client=spectator).events
    assert events[-1].match_ended.result.reason == view.result.reason, events[-1]
    assert events[-1].record_time > events[0].record_time
    check_refusal(players[0], match_id)
    print(f"openapi-python-client played {match_id}: {view.result.reason}")


main(sys.argv[1])
