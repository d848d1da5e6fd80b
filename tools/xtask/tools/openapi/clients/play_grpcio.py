"""Plays a match of Angels and Demons over gRPC, through code that grpcio-tools made from the protos.

Usage: play_grpcio.py http://HOST:PORT
"""

import sys
import uuid
from pathlib import Path

import google.api.annotations_pb2
import google.api.http_pb2
import grpc
from google.protobuf import descriptor_pool
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from matchbook.v1 import creating_pb2, error_pb2, game_service_pb2, game_service_pb2_grpc, match_pb2
from matchbook.v1 import match_service_pb2, match_service_pb2_grpc, moves_pb2, seating_pb2

GAME = "angels-and-demons"
TURNS = 3


def create(matches):
    request = creating_pb2.CreateMatchRequest(game_id=GAME)
    options = request.options.angels_and_demons
    options.rows, options.cols, options.turns = 4, 4, TURNS
    return matches.CreateMatch(request).match.match_id


def claim(matches, match_id, seat, name):
    request = seating_pb2.ClaimSeatRequest(
        match_id=match_id, seat=seat, player={"display_name": name}, request_id=str(uuid.uuid4())
    )
    return [("matchbook-seat-token", matches.ClaimSeat(request).seat_token)]


def move(matches, match_id, token, choice):
    legal = matches.ListLegalMoves(moves_pb2.ListLegalMovesRequest(match_id=match_id), metadata=token).moves
    chosen = legal[choice % len(legal)].move
    request = moves_pb2.SubmitMoveRequest(match_id=match_id, move=chosen, request_id=str(uuid.uuid4()))
    return matches.SubmitMove(request, metadata=token).view


def check_refusal(matches, match_id, token):
    legal = moves_pb2.SubmitMoveRequest(match_id=match_id, notation="1,1")
    try:
        matches.SubmitMove(legal, metadata=token)
    except grpc.RpcError as error:
        details = rpc_status.from_call(error).details
        info = error_details_pb2.ErrorInfo()
        assert details[0].Unpack(info), details
        assert info.reason == "MATCH_OVER", info
        assert f"ERROR_REASON_{info.reason}" in error_pb2.ErrorReason.keys()
    else:
        raise AssertionError("a move in a match that is over was accepted")


def check_packages():
    """The protos of Google come from googleapis-common-protos, also in the descriptors' pool."""
    packages = Path(grpc.__file__).parents[1]
    for module in (google.api.annotations_pb2, google.api.http_pb2, error_details_pb2):
        assert packages in Path(module.__file__).parents, module.__file__
    service = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
    bindings = service.methods_by_name["GetMatch"].GetOptions().Extensions[google.api.annotations_pb2.http]
    assert bindings.get == "/v1/matches/{match_id}", bindings
    pool = descriptor_pool.Default()
    assert pool.FindFileByName("google/api/http.proto") is google.api.http_pb2.DESCRIPTOR


def main(server):
    check_packages()
    channel = grpc.insecure_channel(server.removeprefix("http://"))
    catalog = game_service_pb2_grpc.GameServiceStub(channel)
    games = catalog.ListGames(game_service_pb2.ListGamesRequest()).games
    entry = next(game for game in games if game.game_id == GAME)
    assert [option.WhichOneof("type") for option in entry.options] == ["integer"] * 3, entry.options
    matches = match_service_pb2_grpc.MatchServiceStub(channel)
    match_id = create(matches)
    tokens = [claim(matches, match_id, seat, name) for seat, name in enumerate(["Ann", "Ben"])]
    for turn in range(TURNS):
        for seat, token in enumerate(tokens):
            view = move(matches, match_id, token, 2 * turn + 5 * seat)
    assert view.status == match_pb2.MATCH_STATUS_OVER, view
    check_refusal(matches, match_id, tokens[0])
    print(f"grpcio played {match_id}: {view.result.reason}")


main(sys.argv[1])
