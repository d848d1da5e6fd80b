"""Every call, against a real service."""

import asyncio
import inspect
import re
import urllib.request
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from protos import rpcs
from service import Service

import matchbook
from matchbook import (
    AlreadyProposed,
    BadToken,
    ExternalIdTaken,
    IllegalChoice,
    IllegalMove,
    InvalidArgument,
    Matchbook,
    MatchFilter,
    MissingKey,
    MissingToken,
    NotAllowed,
    RequestIdReused,
    Seat,
    SeatTaken,
    StalePosition,
    TooLateToAbort,
    UnknownGame,
    UnknownMatch,
    UnknownSeq,
    UnknownWebhook,
    bank,
    per_move,
    v1,
)
from matchbook.audit import __main__ as audit


def start(client: Matchbook, game_id: str = "ludus-magus", **settings: Any) -> tuple[Seat, Seat]:
    match = client.create_match(game_id, **settings)
    return match.claim(0, "Ann"), match.claim(1, "Ben")


def test_both_clients_have_the_same_calls() -> None:
    for name in ("Matchbook", "Match", "Seat", "Watch", "Feed"):
        sync, both = getattr(matchbook, name), getattr(matchbook, f"Async{name}")
        calls = [member for member in dir(sync) if not member.startswith("_")]
        assert calls == [member for member in dir(both) if not member.startswith("_")]
        for call in calls:
            if callable(getattr(sync, call)):
                expected = list(inspect.signature(getattr(sync, call)).parameters)
                assert list(inspect.signature(getattr(both, call)).parameters) == expected
                assert getattr(sync, call).__doc__, f"{name}.{call}"


def test_every_rpc_can_be_called_with_its_message() -> None:
    assert len(rpcs()) > 30
    for calls, stream in ((matchbook.Calls, "OpenStream"), (matchbook.AsyncCalls, "AsyncOpenStream")):
        for rpc in rpcs():
            call = getattr(calls, re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower())
            signature = inspect.signature(call)
            request = getattr(v1, rpc.input_type.name)
            if rpc.client_streaming:
                taken = signature.parameters["requests"].annotation
                source = "AsyncIterable" if calls is matchbook.AsyncCalls else "Iterable"
                assert (taken.__origin__.__name__, *taken.__args__) == (source, request)
            else:
                assert signature.parameters["request"].annotation is request
            response = getattr(v1, rpc.output_type.name)
            returned = signature.return_annotation
            if returned is not response:
                assert (returned.__origin__.__name__, *returned.__args__) == (stream, response)
            is_awaited = calls is matchbook.AsyncCalls and returned is response
            assert inspect.iscoroutinefunction(call) == is_awaited
            assert call.__doc__, rpc.full_name


def test_an_rpc_without_a_method_of_its_own_is_called_with_messages(client: Matchbook) -> None:
    created = client.calls.create_match(v1.CreateMatchRequest(game_id="ludus-magus")).match
    light = client.match(created.match_id).claim(0, "Ann")
    request = v1.GetViewRequest(match_id=created.match_id)
    assert light.calls.get_view(request).view.viewer.seat == 0
    assert client.calls.get_view(request).view.viewer.kind == v1.Viewer.KIND_SPECTATOR
    stream = client.calls.export_log(v1.ExportLogRequest(match_id=created.match_id))
    assert [frame.WhichOneof("record") for frame in stream] == ["header", "event", "event", "head"]
    with pytest.raises(UnknownMatch):
        list(client.calls.watch_match(v1.WatchMatchRequest(match_id=str(uuid.uuid4()))))


def test_the_catalog(client: Matchbook) -> None:
    games = {game.game_id: game for game in client.games()}
    assert games["ludus-magus"].rules_text == ""
    assert "Ludus Magus" in client.game("ludus-magus").rules_text
    with pytest.raises(UnknownGame) as caught:
        client.create_match("chess")
    assert (caught.value.code, caught.value.reason) == ("NOT_FOUND", "UNKNOWN_GAME")
    assert caught.value.call_id and not caught.value.is_transient


def test_options_are_checked_here_and_there(client: Matchbook) -> None:
    match = client.create_match("angels-and-demons", {"rows": 4, "cols": 4, "turns": 3})
    assert match.info is not None and match.info.options.angels_and_demons.rows == 4
    options = v1.GameOptions(angels_and_demons={"rows": 5, "cols": 5})  # type: ignore[arg-type]
    assert client.create_match("angels-and-demons", options).get().options.angels_and_demons.rows == 5
    with pytest.raises(InvalidArgument) as caught:
        client.create_match("angels-and-demons", {"rows": 1})
    assert [field.path for field in caught.value.fields] == ["options.angels_and_demons.rows"]
    for options_here in ({"lines": 4}, {"rows": "many"}):
        with pytest.raises(ValueError, match="options of angels-and-demons"):
            client.create_match("angels-and-demons", options_here)
    with pytest.raises(ValueError, match="options of chess; it knows those of .*angels-and-demons"):
        client.create_match("chess", {"rows": 4})


def test_a_call_with_the_same_request_id_takes_effect_once(client: Matchbook) -> None:
    request_id = str(uuid.uuid4())
    created = [client.create_match("ludus-magus", request_id=request_id) for _ in range(2)]
    assert created[0].match_id == created[1].match_id
    with pytest.raises(RequestIdReused):
        client.create_match("ace-exorcist", request_id=request_id)
    claims = [
        created[0].claim(0, "Ann", entropy=b"e", request_id=request_id, claim_secret="s" * 16)
        for _ in range(2)
    ]
    assert claims[0].token == claims[1].token


def test_seats_are_claimed_and_tokens_replaced(client: Matchbook) -> None:
    light, dark = start(client)
    with pytest.raises(SeatTaken):
        client.claim(light.match_id, 0, "Cid")
    old = light.token
    again = client.seat(light.match_id, old)
    assert again.seat is None and again.renew_token() != old and again.seat == 0
    with pytest.raises(BadToken) as caught:
        light.legal_moves()
    assert caught.value.metadata["credential"] == "seat_token"
    assert again.legal_moves().complete
    with pytest.raises(MissingKey):
        client.match(light.match_id).redact_player(0)
    assert dark.token not in repr(dark) and dark.match_id in repr(dark)


def test_a_match_can_be_created_with_a_seat(client: Matchbook) -> None:
    angels = client.create_and_claim("angels-and-demons", 0, "Ann", {"turns": 3}, time_control=per_move(60))
    assert angels.info is not None and angels.info.seats[0].player.display_name == "Ann"
    assert client.match(angels.match_id).get().time_control.per_move.move_time.seconds == 60


def test_moves_are_listed_checked_and_made(client: Matchbook) -> None:
    light, dark = start(client, time_control=bank(timedelta(minutes=5), 1.5))
    moves = light.legal_moves()
    assert moves.complete and moves.seat == 0 and len(moves) == len(list(moves)) > 20
    assert [str(move) for move in moves[:2]] == moves.notations[:2]
    assert len(light.legal_moves(limit=3)) == 3 and not light.legal_moves(limit=3).complete
    assert client.match(light.match_id).legal_moves(1).seat == 1
    assert light.check(moves[0]) is None and light.check(moves[0].move) is None
    refusal = light.check("a1-h8")
    assert refusal is not None and refusal.reason == "ILLEGAL_MOVE"
    with pytest.raises(IllegalMove) as caught:
        light.play("a1-h8")
    assert caught.value.paragraph and caught.value.paragraph.startswith("LM-")
    played = light.play(moves[0].move, expected_seq=moves.seq)
    assert played.receipt == played.events[0].receipt and not played.is_over and played.result is None
    assert played.view.clocks.seats[0].remaining.seconds >= 299
    with pytest.raises(StalePosition) as stale:
        light.play(moves[1])
    assert stale.value.actual_seq == played.events[-1].seq
    assert dark.suggest(seed=7) == dark.suggest("random", seed=7)
    with pytest.raises(ValueError, match="unknown strategy 'best'"):
        dark.suggest("best")
    with pytest.raises(IllegalChoice) as choice:
        dark.choices(["z9"])
    assert choice.value.metadata["index"] == "0"


def test_views_and_events(client: Matchbook) -> None:
    light, dark = start(client, "ace-exorcist")
    match = client.match(light.match_id)
    assert match.view().viewer.kind == v1.Viewer.KIND_SPECTATOR
    assert light.view().viewer.seat == 0 and light.view(at_seq=1).seq == 1
    with pytest.raises(matchbook.MatchNotOver):
        match.view(open_view=True)
    with pytest.raises(UnknownSeq) as caught:
        match.view(at_seq=99)
    assert caught.value.actual_seq == 4 and not caught.value.is_transient
    assert dark.resign().result is not None
    assert match.view(open_view=True, min_seq=5).viewer.kind == v1.Viewer.KIND_OPEN
    events = list(match.events(page_size=2))
    kinds = ["match_created", "seat_claimed", "seat_claimed", "match_started", "match_ended"]
    assert [event.kind for event in events] == kinds and [event.seat for event in events][1:3] == [0, 1]
    assert abs(events[0].time - datetime.now(UTC)) < timedelta(hours=1)
    assert [event.seq for event in match.events(3)] == [4, 5]
    assert match.count_spectators() == 0
    with pytest.raises(UnknownMatch):
        client.match(str(uuid.uuid4())).get()


def test_proposals_and_other_ends(client: Matchbook) -> None:
    light, dark = start(client)
    light.play(light.suggest())
    light.propose("takeback")
    with pytest.raises(AlreadyProposed):
        light.propose("takeback")
    taken = dark.accept("takeback")
    assert taken.events[0].event.proposal_answered.moves_taken_back == 1
    light.propose("draw")
    dark.decline("draw")
    light.play(light.suggest())
    with pytest.raises(TooLateToAbort):
        dark.abort()
    dark.propose("draw")
    drawn = light.accept("draw")
    assert drawn.result is not None and drawn.result.outcome == v1.OUTCOME_DRAW
    other, _ = start(client)
    aborted = other.abort()
    assert aborted.result is not None and aborted.result.reason == "aborted"


def test_rematches_and_forks(client: Matchbook) -> None:
    light, dark = start(client)
    fork = light.fork(visibility="unlisted", time_control=per_move(1))
    assert fork.get().forked_from.match_id == light.match_id
    dark.resign()
    again = light.rematch()
    assert isinstance(again, Seat) and again.seat == 1
    other = dark.rematch()
    assert isinstance(other, Seat) and other.match_id == again.match_id and other.legal_moves().complete
    dealt, opponent = start(client, "ace-exorcist")
    dealt.resign()
    unclaimed = dealt.rematch()
    assert not isinstance(unclaimed, Seat) and unclaimed.claim(1, "Ann").seat == 1
    with pytest.raises(MissingToken):
        client.claim(unclaimed.match_id, 0, "Cid")
    assert client.claim(unclaimed.match_id, 0, "Ben", previous=opponent).legal_moves().seat == 0


def test_a_seats_token_is_not_sent_for_another_match(client: Matchbook) -> None:
    light, dark = start(client)
    fork = light.fork()
    assert not isinstance(fork, Seat) and fork.get().match_id == fork.match_id
    dark.resign()
    rematch = light.rematch()
    assert rematch.get().rematch_of == light.match_id


def test_an_exported_file_is_the_services(service: Service, client: Matchbook, tmp_path: Path) -> None:
    light, dark = start(client, "ace-exorcist")
    dark.play(dark.suggest()) if 1 in light.view().to_act else light.play(light.suggest())
    file = tmp_path / "match.jsonl"
    client.match(light.match_id).export(file, progress=False)
    with urllib.request.urlopen(f"http://{service.address}/v1/matches/{light.match_id}/log") as answer:
        assert answer.read() == file.read_bytes()
    light.export(file)
    assert '"opened":' in file.read_text() and list(tmp_path.iterdir()) == [file]
    head = light.sign_head()
    assert head.head.note and next(client.keys()).public_key == head.head.public_key
    with pytest.raises(UnknownMatch):
        client.match(str(uuid.uuid4())).export(tmp_path / "none.jsonl")
    assert list(tmp_path.iterdir()) == [file]


def test_an_exported_file_passes_the_verifier(
    client: Matchbook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    light, dark = start(client, "angels-and-demons")
    played = light.play(light.suggest())
    dark.resign()
    light.export(tmp_path / "match.jsonl")
    key = next(client.keys()).public_key
    arguments = ["matchbook-audit", str(tmp_path / "match.jsonl"), "--key", key, "--receipt", played.receipt]
    monkeypatch.setattr("sys.argv", arguments)
    assert audit.main() == 7
    assert "signature" in capsys.readouterr().out


def test_an_apps_matches(app_service: Service, tmp_path: Path) -> None:
    with pytest.raises(MissingKey), Matchbook(app_service.address) as anonymous:
        anonymous.create_match("ludus-magus")
    with Matchbook(app_service.address, api_key=app_service.keys["app"]) as app:
        labels = {"tenant": "acme", "round": "2"}
        match = app.create_match("ludus-magus", labels=labels, external_id="order-17", visibility="private")
        seat = match.claim(0, "Ann", player_id="user-17")
        match.claim(1, "Ben")
        mine: MatchFilter = {"labels": {"tenant": "acme"}, "status": "running", "player_id": "user-17"}
        mine |= {"seat_to_act": 0, "created_before": datetime.now(UTC) + timedelta(1)}
        found = list(app.matches(page_size=1, **mine))
        assert [listed.match_id for listed in found] == [match.match_id]
        assert [listed.match_id for listed in app.get_matches([match.match_id])] == [match.match_id]
        with pytest.raises(TypeError, match="unknown filter 'game'"):
            next(app.matches(game="ludus-magus"))  # type: ignore[call-arg]
        with pytest.raises(ExternalIdTaken) as caught:
            app.create_match("ludus-magus", external_id="order-17")
        assert caught.value.metadata["match_id"] == match.match_id
        assert match.set_labels({"tenant": "other"}).labels == {"tenant": "other"}
        assert match.rotate_token(0).token != seat.token
        assert not match.redact_player(0).seats[0].HasField("player")
    with Matchbook(app_service.address, api_key=app_service.keys["audit"]) as auditor:
        with pytest.raises(NotAllowed):
            auditor.create_match("ludus-magus")
        exported = auditor.export_matches(tmp_path / "logs", game_id="ludus-magus")
        assert (tmp_path / "logs" / f"{match.match_id}.jsonl").exists() and exported.matches >= 1
        events = list(auditor.feed(follow=False))
        assert [event.event.seq for event in events if event.match_id == match.match_id][:3] == [1, 2, 3]
        assert list(auditor.feed(events[-1].cursor, follow=False)) == []


def test_webhooks(app_service: Service) -> None:
    with Matchbook(app_service.address, api_key=app_service.keys["app"]) as app:
        created = app.create_webhook("https://example.org/events", ["match_ended"])
        webhook_id = created.webhook.webhook_id
        assert [webhook.webhook_id for webhook in app.webhooks()] == [webhook_id]
        assert app.get_webhook(webhook_id).kinds == ["match_ended"]
        assert list(app.update_webhook(webhook_id, kinds=[]).kinds) == []
        disabled = app.update_webhook(webhook_id, url="https://example.org/other", enabled=False)
        assert disabled.state == v1.WEBHOOK_STATE_DISABLED
        rotated = app.rotate_webhook_secret(webhook_id, 1)
        assert rotated.secret != created.secret and rotated.webhook.secret_generation == 2
        assert list(app.dead_letters(webhook_id)) == [] and app.retry_dead_letters(webhook_id) == 0
        assert not app.ping_webhook(webhook_id).delivered
        app.delete_webhook(webhook_id)
        with pytest.raises(UnknownWebhook):
            app.get_webhook(webhook_id)
    with Matchbook(app_service.address, api_key=app_service.keys["admin"]) as admin:
        assert list(admin.webhooks(all_owners=True)) == []


def test_an_async_client_makes_the_same_calls(service: Service) -> None:
    async def play() -> None:
        async with matchbook.AsyncMatchbook(service.address) as client:
            match = await client.create_match("angels-and-demons", {"turns": 3})
            angels, demons = await asyncio.gather(match.claim(0, "Ann"), match.claim(1, "Ben"))
            with pytest.raises(IllegalMove):
                await angels.play("99,99")
            assert [event.seq async for event in match.events()] == [1, 2, 3, 4]
            await demons.resign()
            assert [event.kind async for event in angels.watch(3)] == ["match_started", "match_ended"]

    asyncio.run(play())


@pytest.mark.parametrize("address", ["ftp://host", "https://host/path", "http://", "https://user@host"])
def test_an_address_is_checked(address: str) -> None:
    with pytest.raises(ValueError, match="invalid address"):
        Matchbook(address)


@pytest.mark.parametrize("secret", ["", "line\nbreak", "two words", "ümlaut"])
def test_a_credential_is_checked_and_not_shown(client: Matchbook, secret: str) -> None:
    with pytest.raises(ValueError, match="the API key is empty or has characters") as caught:
        Matchbook(api_key=secret)
    assert not secret or secret not in str(caught.value)
    with pytest.raises(ValueError, match="the seat's token is empty or has characters"):
        client.seat("id", secret)

