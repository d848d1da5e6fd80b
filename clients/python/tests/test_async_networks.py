"""Bad networks for the asynchronous client: typed errors or quiet recovery, nothing made twice."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from certificates import certificate
from proxy import Proxy
from scripted import Answer, Refusal, Scripted
from service import Service

from matchbook import (
    AsyncMatchbook,
    AsyncSeat,
    BadToken,
    InsecureConnection,
    MatchEvent,
    Refused,
    RetryPolicy,
    Unreachable,
    v1,
)

QUICK = RetryPolicy(attempts=3, initial_delay=0.01)
PATIENT = RetryPolicy(attempts=1000, initial_delay=0.05, max_delay=0.5)


async def start(client: AsyncMatchbook) -> tuple[AsyncSeat, AsyncSeat]:
    match = await client.create_match("ludus-magus")
    return await match.claim(0, "Ann"), await match.claim(1, "Ben")


async def seqs_of(events: AsyncIterator[MatchEvent]) -> list[int]:
    return [event.seq async for event in events]


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    while not await condition():
        await asyncio.sleep(0.01)


def test_a_service_that_is_away_or_silent_is_unreachable() -> None:
    async def ask_away() -> None:
        async with AsyncMatchbook("127.0.0.1:1", retry=QUICK) as client:
            reached = "cannot reach the service at http://127.0.0.1:1: "
            with pytest.raises(Unreachable, match=reached) as caught:
                await client.create_match("ludus-magus")
            assert caught.value.is_transient
            for stream in (client.match("id").watch(), client.feed(), client.games()):
                with pytest.raises(Unreachable):
                    await anext(stream)

    async def ask_silent() -> None:
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        async with AsyncMatchbook(f"{host}:{port}", timeout=0.2, retry=RetryPolicy.none()) as client:
            with pytest.raises(Unreachable):
                await client.create_match("ludus-magus")
        server.close()

    asyncio.run(ask_away())
    asyncio.run(ask_silent())


def test_tls_is_trusted_with_the_services_certificate_alone(service: Service, tmp_path: Path) -> None:
    trusted, key = certificate(tmp_path, "trusted")
    other, _ = certificate(tmp_path, "other")

    async def ask(address: str, ca_file: Path | None, retry: RetryPolicy | None = None) -> str:
        async with AsyncMatchbook(address, ca_file=ca_file, timeout=120, retry=retry) as client:
            return (await client.game("ludus-magus")).game_id

    with Service(tmp_path, options=("--tls-cert", str(trusted), "--tls-key", str(key))) as secure:
        assert asyncio.run(ask(f"https://{secure.address}", trusted)) == "ludus-magus"
        for ca_file in (other, None):
            with pytest.raises(InsecureConnection, match="CERTIFICATE_VERIFY_FAILED") as caught:
                asyncio.run(ask(f"https://{secure.address}", ca_file))
            assert not caught.value.is_transient
        with pytest.raises(Unreachable):
            asyncio.run(ask(f"http://{secure.address}", None, QUICK))
    with pytest.raises(InsecureConnection, match="WRONG_VERSION_NUMBER"):
        asyncio.run(ask(f"https://{service.address}", trusted))


def test_a_lost_answer_is_asked_for_again_and_nothing_is_made_twice(service: Service) -> None:
    proxy = Proxy(service.address)

    async def play() -> list[str]:
        async with AsyncMatchbook(proxy.address, retry=PATIENT) as client:
            assert (await client.game("ludus-magus")).game_id == "ludus-magus"
            proxy.lose_the_next_answer()
            match = await client.create_match("ludus-magus")
            proxy.lose_the_next_answer()
            light = await match.claim(0, "Ann")
            dark = await match.claim(1, "Ben")
            assert (await light.legal_moves()).complete, "the token came with the second answer"
            proxy.lose_the_next_answer()
            assert (await light.play("a1-a2")).events[0].notation == "a1-a2"
            proxy.lose_the_next_answer()
            renewed = await light.renew_token()
            assert light.token == renewed
            await dark.resign()
            return [event.kind async for event in match.events()]

    kinds = asyncio.run(play())
    proxy.close()
    assert proxy.connections >= 5
    assert kinds.count("move_made") == 1 and kinds.count("seat_token_rotated") == 1
    assert kinds.count("seat_claimed") == 2


def test_a_token_that_becomes_void_ends_the_watch_of_its_seat(service: Service) -> None:
    async def watch() -> None:
        async with AsyncMatchbook(service.address) as client:
            light, _ = await start(client)
            watch = light.watch(after_seq=0)
            assert [(await anext(watch)).seq for _ in range(4)] == [1, 2, 3, 4]
            owner = client.seat(light.match_id, light.token)
            await owner.renew_token()
            with pytest.raises(BadToken):
                await seqs_of(watch)
            assert watch.seq is not None and watch.seq >= 4
            resumed = owner.watch(watch.seq, after_hash=watch.hash)
            await owner.resign()
            assert [event.kind async for event in resumed][-1] == "match_ended"

    asyncio.run(watch())


def test_a_slow_reader_gets_everything_and_others_are_served_meanwhile(service: Service) -> None:
    async def play() -> None:
        async with AsyncMatchbook(service.address) as client, AsyncMatchbook(service.address) as slow:
            seats = await start(client)
            watch = slow.match(seats[0].match_id).watch(after_seq=0, views=True)
            assert (await anext(watch)).seq == 1
            head = 4
            for turn in range(150):
                moves = await seats[turn % 2].legal_moves(limit=3)
                played = await seats[turn % 2].play(moves[-1])
                head = played.events[-1].seq
                if played.is_over:
                    break
            else:
                head = (await seats[0].resign()).events[-1].seq
            assert head > 20, "the match was too short to fill a window"
            assert await seqs_of(watch) == list(range(2, head + 1))

    asyncio.run(play())


def test_a_restart_during_a_watch_is_not_noticed(own_service: Service) -> None:
    async def watch() -> None:
        async with AsyncMatchbook(own_service.address, retry=PATIENT) as client:
            light, dark = await start(client)
            watch = light.watch(after_seq=0)
            seen = [(await anext(watch)).seq for _ in range(4)]
            own_service.restart()
            await light.play("a1-a2")
            seen.append((await anext(watch)).seq)
            own_service.kill()
            waiting = asyncio.ensure_future(anext(watch))
            resigning = asyncio.ensure_future(dark.resign())
            await asyncio.sleep(0.1)
            own_service.start()
            await resigning
            assert [*seen, (await waiting).seq, *await seqs_of(watch)] == [1, 2, 3, 4, 5, 6]

    asyncio.run(watch())


def test_restarts_during_moves_lose_and_double_nothing(own_service: Service) -> None:
    async def play() -> None:
        async with AsyncMatchbook(own_service.address, retry=PATIENT) as client:
            seats = await start(client)
            made: list[str] = []
            is_done = asyncio.Event()

            async def move() -> None:
                while not is_done.is_set() and len(made) < 2000:
                    seat = seats[len(made) % 2]
                    made.append((await seat.play(await seat.suggest())).events[0].receipt)

            player = asyncio.ensure_future(move())
            for _ in range(3):
                reached = len(made)
                while len(made) < reached + 5 and not player.done():
                    await asyncio.sleep(0.005)
                await asyncio.to_thread(own_service.restart)
            is_done.set()
            await player
            match = client.match(seats[0].match_id)
            logged = [event.receipt async for event in match.events() if event.notation]
            assert logged == made and len(made) >= 15

    asyncio.run(play())


def test_a_cancelled_call_leaves_the_client_usable(service: Service) -> None:
    async def play() -> None:
        async with AsyncMatchbook(service.address) as client:
            light, dark = await start(client)
            watch = client.match(light.match_id).watch(after_seq=4)
            waiting = asyncio.ensure_future(anext(watch))
            await until(light.count_spectators)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await light.play("a1-a2")
            await dark.resign()
            assert [event.kind async for event in watch] == ["move_made", "match_ended"]

    asyncio.run(play())


def test_ctrl_c_ends_a_program_at_once_and_its_seat_stays(service: Service) -> None:
    program = (
        "import asyncio, sys, matchbook\n"
        "async def watch(server, match_id, token):\n"
        "    async with matchbook.AsyncMatchbook(server) as client:\n"
        "        async for event in client.seat(match_id, token).watch(after_seq=0):\n"
        "            print(event.seq, flush=True)\n"
        "asyncio.run(watch(*sys.argv[1:]))\n"
    )

    async def play() -> None:
        async with AsyncMatchbook(service.address) as client:
            light, _ = await start(client)
            arguments = [sys.executable, "-c", program, service.address, light.match_id, light.token]
            with subprocess.Popen(
                arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as watcher:
                assert watcher.stdout is not None and watcher.stderr is not None
                assert [watcher.stdout.readline() for _ in range(4)] == ["1\n", "2\n", "3\n", "4\n"]
                watcher.send_signal(signal.SIGINT)
                errors = watcher.stderr.read()
                watcher.wait()
            assert errors.splitlines()[-1] == "KeyboardInterrupt", errors
            assert (await light.play("a1-a2")).events[0].notation == "a1-a2"

    asyncio.run(play())


def test_what_a_newer_service_answers_is_kept_or_passed_over() -> None:
    # A field of a newer service: number 2000, with four bytes.
    newer_field = bytes([0x82, 0x7D, 4, 1, 2, 3, 4])
    unknown_status = v1.Match(match_id="id")
    unknown_status.MergeFromString(b"\x28\x63")
    unknown_kind = v1.Event(seq=5, hash=b"k" * 32).SerializeToString() + newer_field
    ended = v1.WatchMatchResponse(event=v1.Event(seq=6, match_ended=v1.MatchEnded()))
    start = v1.WatchMatchResponse(start=v1.WatchStart(head_seq=4), view=v1.View(seq=4))
    answers: list[Answer | list[Answer]] = [
        v1.GetMatchResponse(match=unknown_status).SerializeToString() + newer_field,
        [
            start.SerializeToString(),
            bytes([0x12, len(unknown_kind)]) + unknown_kind,
            newer_field,
            ended.SerializeToString(),
        ],
        Refusal("A_LATER_REASON", 0),
        Refusal("A_LATER_REASON"),
    ]

    async def ask(address: str) -> None:
        async with AsyncMatchbook(address, retry=QUICK) as client:
            assert (await client.match("id").get()).status == 99
            events = [(event.seq, event.kind) async for event in client.match("id").watch()]
            assert events == [(5, ""), (6, "match_ended")]
            with pytest.raises(Refused) as caught:
                await client.match("id").get()
            assert caught.value.reason == "A_LATER_REASON"

    with Scripted(answers) as server:
        asyncio.run(ask(server.address))
        assert len(server.calls) == 4, "a reason that comes with a time is retried"
