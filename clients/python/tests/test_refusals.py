"""What a client makes of refusals, and what it repeats, against a server that answers by a script."""

import asyncio
import re
from pathlib import Path

import pytest
from scripted import Answer, Refusal, Scripted

from matchbook import (
    AsyncMatchbook,
    HistoryChanged,
    Internal,
    Matchbook,
    MatchbookError,
    MatchOver,
    OutcomeUnknown,
    Overloaded,
    Refused,
    RetryPolicy,
    UnknownMatch,
    UnknownSeq,
    errors,
    v1,
)

QUICK = RetryPolicy(attempts=4, initial_delay=0.001)
API = Path(__file__).parents[3] / "docs/api.md"
OF_HTTP_ALONE = {"UNKNOWN_ROUTE", "METHOD_NOT_ALLOWED", "NOT_ACCEPTABLE", "UNSUPPORTED_MEDIA_TYPE"}
MATCH_ID = "0193a1c0-0000-7000-8000-000000000000"


def reasons(*names: str) -> list[Answer | list[Answer]]:
    return [Refusal(name) for name in names]


def test_a_change_is_repeated_with_the_same_request_id_until_the_answer_is_final() -> None:
    with Scripted(reasons("OVERLOADED", "OUTCOME_UNKNOWN", "MATCH_OVER")) as server:
        with Matchbook(server.address, retry=QUICK) as client, pytest.raises(MatchOver) as caught:
            client.seat(MATCH_ID, "mbs_secret").resign()
        requests = [v1.ResignRequest.FromString(request) for _, request, _ in server.calls]
    assert len(requests) == 3 and len({request.request_id for request in requests}) == 1
    assert caught.value.fields == (errors.FieldViolation("seat", "must be free"),)
    assert (caught.value.message, caught.value.code, caught.value.call_id) == ("no", "ABORTED", "1-2")


def test_a_change_by_a_message_gets_a_request_id_unless_it_has_one() -> None:
    chosen = "0193a1c0-0000-7000-8000-00000000000a"
    with Scripted(reasons(*["OUTCOME_UNKNOWN", "MATCH_OVER"] * 2)) as server:
        with Matchbook(server.address, retry=QUICK) as client:
            for request in (v1.ResignRequest(), v1.ResignRequest(request_id=chosen)):
                copy = v1.ResignRequest.FromString(request.SerializeToString())
                with pytest.raises(MatchOver):
                    client.calls.resign(request)
                assert request == copy
        sent = [v1.ResignRequest.FromString(request).request_id for _, request, _ in server.calls]
    assert sent[0] == sent[1] != "" and sent[2:] == [chosen, chosen]


def test_a_claim_is_repeated_with_the_same_secret_and_entropy() -> None:
    response = v1.ClaimSeatResponse(seat_token="mbs_token").SerializeToString()
    with Scripted([Refusal("OUTCOME_UNKNOWN"), response]) as server:
        with Matchbook(server.address, retry=QUICK) as client:
            assert client.match(MATCH_ID).claim(0, "Ann").token == "mbs_token"
        requests = {request for _, request, _ in server.calls}
    assert len(requests) == 1 and len(v1.ClaimSeatRequest.FromString(requests.pop()).entropy) == 32


def test_a_call_that_is_unsafe_to_repeat_is_made_once() -> None:
    with Scripted(reasons("OUTCOME_UNKNOWN", "OVERLOADED")) as server:
        with Matchbook(server.address, retry=QUICK, api_key="mbk_secret") as client:
            with pytest.raises(OutcomeUnknown):
                client.delete_webhook("id")
            with pytest.raises(Overloaded):
                client.ping_webhook("id")
        assert len(server.calls) == 2


def test_attempts_end_with_the_policy() -> None:
    with Scripted(reasons(*["OVERLOADED"] * 5)) as server:
        with Matchbook(server.address, retry=QUICK) as client, pytest.raises(Overloaded):
            client.match(MATCH_ID).get()
        assert len(server.calls) == 4
        with Matchbook(server.address, retry=RetryPolicy.none()) as client, pytest.raises(Overloaded):
            client.match(MATCH_ID).get()
        assert len(server.calls) == 5


def test_a_reason_is_repeated_as_the_table_of_the_api_says() -> None:
    row = r"^\| `([A-Z_]+)` \| `[A-Z_]+` \| \d+ \| \w+ \| ([\w ]+) \|"
    rows = re.findall(row, API.read_text(), re.MULTILINE)
    assert len(rows) > 40
    for reason, retry in rows:
        assert (reason in Refused.reasons) != (reason in OF_HTTP_ALONE), reason
        plain, timed = (Refused.of(reason)(reason, "no", retry_after=delay) for delay in (None, 1.0))
        if reason not in OF_HTTP_ALONE:
            assert plain.is_transient == (retry == "yes"), reason
            assert timed.is_transient == (retry in ("yes", "with RetryInfo")), reason
            assert type(plain).__name__.upper() == reason.replace("_", "")
    assert {row[0] for row in rows} >= set(Refused.reasons)


def test_every_reason_of_the_contract_is_an_exception_or_of_http_alone() -> None:
    names = {name.removeprefix("ERROR_REASON_") for name in v1.ErrorReason.keys()}
    assert set(Refused.reasons) == names - OF_HTTP_ALONE - {"UNSPECIFIED"}


def test_a_replica_that_is_behind_is_asked_again() -> None:
    with Scripted([Refusal("UNKNOWN_SEQ", 0), Refusal("UNKNOWN_SEQ")]) as server:
        with Matchbook(server.address, retry=QUICK) as client, pytest.raises(UnknownSeq):
            client.match(MATCH_ID).view(min_seq=9)
        assert len(server.calls) == 2


def test_a_reason_of_a_newer_service_is_kept_and_repeated_if_the_service_says_when() -> None:
    with Scripted([Refusal("A_LATER_REASON", 0), Refusal("A_LATER_REASON")]) as server:
        with Matchbook(server.address, retry=QUICK) as client, pytest.raises(Refused) as caught:
            client.match(MATCH_ID).get()
        assert len(server.calls) == 2
    assert type(caught.value) is Refused and caught.value.reason == "A_LATER_REASON"


def test_credentials_are_sent_together_and_only_where_they_belong() -> None:
    with Scripted(reasons(*["UNKNOWN_MATCH"] * 4)) as server:
        with Matchbook(server.address, api_key="mbk_secret") as client:
            seat = client.seat(MATCH_ID, "mbs_secret")
            for match in (seat, client.match(MATCH_ID)):
                with pytest.raises(UnknownMatch):
                    match.get()
            assert "secret" not in f"{client!r} {seat!r}"
        sent = [
            (metadata.get("authorization"), metadata.get("matchbook-seat-token"))
            for _, _, metadata in server.calls
        ]
    assert sent == [("Bearer mbk_secret", "mbs_secret"), ("Bearer mbk_secret", None)]


def frame(seq: int) -> bytes:
    event = v1.Event(seq=seq, hash=bytes([seq]) * 32, match_started=v1.MatchStarted())
    return v1.WatchMatchResponse(event=event).SerializeToString()


def ended(seq: int) -> bytes:
    event = v1.Event(seq=seq, match_ended=v1.MatchEnded())
    return v1.WatchMatchResponse(event=event).SerializeToString()


def start(seq: int) -> bytes:
    view = v1.View(seq=seq, status=v1.MATCH_STATUS_RUNNING)
    start = v1.WatchStart(head_seq=seq, after_hash=b"h" * 32)
    return v1.WatchMatchResponse(start=start, view=view).SerializeToString()


# A field of a newer service: number 2000, with four bytes.
NEWER_FIELD = bytes([0x82, 0x7D, 4, 1, 2, 3, 4])


def event_of_unknown_kind(seq: int) -> bytes:
    event = v1.Event(seq=seq, hash=b"k" * 32).SerializeToString() + NEWER_FIELD
    return bytes([0x12, len(event)]) + event


def test_a_watch_resumes_after_the_last_event_and_repeats_none() -> None:
    streams: list[Answer | list[Answer]] = [
        [start(4), frame(5)],
        [Refusal("SHUTTING_DOWN")],
        [start(5), frame(5), frame(6), Refusal("OVERLOADED", 0)],
        [start(6), ended(7)],
    ]
    with Scripted(streams) as server, Matchbook(server.address, retry=QUICK) as client:
        with client.match(MATCH_ID).watch() as watch:
            assert [event.seq for event in watch] == [5, 6, 7]
            assert watch.start_view is not None and watch.start_view.seq == 4 and list(watch) == []
        requests = [v1.WatchMatchRequest.FromString(request) for _, request, _ in server.calls]
    assert [request.after_seq for request in requests] == [0, 5, 5, 6]
    assert not requests[0].HasField("after_seq")
    assert [request.after_hash for request in requests[1:]] == [b"\5" * 32, b"\5" * 32, b"\6" * 32]


def test_a_history_that_changed_ends_the_watch() -> None:
    with Scripted([[start(4), frame(5)], [Refusal("HISTORY_CHANGED")]]) as server:
        with Matchbook(server.address, retry=QUICK) as client:
            watch = client.match(MATCH_ID).watch(after_seq=4, after_hash=b"h" * 32)
            assert next(watch).seq == 5
            with pytest.raises(HistoryChanged):
                next(watch)
            with pytest.raises(ValueError, match="after_hash is the hash"):
                client.match(MATCH_ID).watch(after_hash=b"h" * 32)


def test_a_service_that_breaks_off_each_time_ends_the_watch() -> None:
    async def watch(address: str) -> None:
        async with AsyncMatchbook(address, retry=QUICK) as client:
            with pytest.raises(errors.Unreachable, match="the service closed the stream"):
                await anext(client.match(MATCH_ID).watch())

    with Scripted([[start(4)]] * 4) as server:
        asyncio.run(watch(server.address))
        assert len(server.calls) == 4


def test_kinds_values_and_fields_of_a_newer_service() -> None:
    unknown_status = v1.Match(match_id=MATCH_ID)
    unknown_status.MergeFromString(b"\x28\x63")
    match = v1.GetMatchResponse(match=unknown_status).SerializeToString() + NEWER_FIELD
    streams: list[Answer | list[Answer]] = [
        match,
        [start(4), event_of_unknown_kind(5), NEWER_FIELD, ended(6)],
    ]
    with Scripted(streams) as server, Matchbook(server.address, retry=QUICK) as client:
        assert client.match(MATCH_ID).get().status == 99
        events = list(client.match(MATCH_ID).watch())
    assert [(event.seq, event.kind, event.seat, event.notation) for event in events] == [
        (5, "", None, ""),
        (6, "match_ended", None, ""),
    ]


def test_a_feed_follows_its_cursor() -> None:
    def event(cursor: str) -> bytes:
        body = v1.FeedEvent(match_id=MATCH_ID, event=v1.LogEvent(seq=1))
        return v1.StreamFeedResponse(cursor=cursor, event=body).SerializeToString()

    caught_up = v1.StreamFeedResponse(cursor="c", heartbeat=v1.FeedHeartbeat(caught_up=True))
    with Scripted([[event("a")], [event("b"), caught_up.SerializeToString()]]) as server:
        with Matchbook(server.address, retry=QUICK) as client:
            feed = client.feed(follow=False)
            assert [item.cursor for item in feed] == ["a", "b"] and feed.cursor == "c"
        requests = [v1.StreamFeedRequest.FromString(request) for _, request, _ in server.calls]
    assert [request.after for request in requests] == ["", "a"] and not requests[0].follow


def test_an_export_goes_on_where_it_was_and_keeps_no_half_file(tmp_path: Path) -> None:
    def frame(**fields: object) -> bytes:
        return v1.ExportMatchesResponse(**fields).SerializeToString()  # type: ignore[arg-type]

    def log(match_id: str, token: str) -> list[Answer]:
        header = v1.LogHeader(format_version=1, service="s", match_id=match_id, game_id="g", rules_version=1)
        head = v1.LogHead(note="n", public_key="k")
        event = v1.LogEvent(seq=1)
        return [frame(header=header), frame(event=event), frame(head=head, next_page_token=token)]

    skipped = v1.SkippedMatch(match_id="three", reason=v1.ERROR_REASON_UNKNOWN_RULES_VERSION)
    streams: list[Answer | list[Answer]] = [
        [*log("one", "after-one"), *log("two", "")[:2]],
        [*log("two", "after-two"), frame(skipped=skipped, next_page_token="after-three"), frame(end={})],
    ]
    with Scripted(streams) as server, Matchbook(server.address, retry=QUICK) as client:
        exported = client.export_matches(tmp_path)
        requests = [v1.ExportMatchesRequest.FromString(request) for _, request, _ in server.calls]
    assert (exported.matches, exported.skipped) == (2, {"three": "UNKNOWN_RULES_VERSION"})
    assert [request.page_token for request in requests] == ["", "after-one"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.jsonl", "two.jsonl"]
    assert all(len(path.read_text().splitlines()) == 3 for path in tmp_path.iterdir())


@pytest.mark.parametrize("match_id", ["", "..", "../other", "a/b", "/tmp/other", "a\\b", "a\0b", "a" * 300])
def test_an_export_writes_to_its_folder_alone(tmp_path: Path, match_id: str) -> None:
    folder = tmp_path / "logs"
    messages = [
        v1.ExportMatchesResponse(header=v1.LogHeader(match_id="before")),
        v1.ExportMatchesResponse(head=v1.LogHead()),
        v1.ExportMatchesResponse(header=v1.LogHeader(match_id=match_id)),
        v1.ExportMatchesResponse(head=v1.LogHead()),
    ]
    frames: list[Answer] = [message.SerializeToString() for message in messages]
    with Scripted([frames]) as server, Matchbook(server.address, retry=QUICK) as client:
        with pytest.raises(MatchbookError, match="no valid match id"):
            client.export_matches(folder)
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "logs",
        "logs/before.jsonl",
    ]


def test_an_export_that_fails_leaves_no_half_file(tmp_path: Path) -> None:
    header = v1.ExportMatchesResponse(header=v1.LogHeader(match_id="one")).SerializeToString()
    with Scripted([[header, Refusal("INTERNAL")]]) as server, Matchbook(server.address) as client:
        with pytest.raises(Internal):
            client.export_matches(tmp_path)
    assert list(tmp_path.iterdir()) == []
