"""Bad networks: typed errors or quiet recovery, nothing made twice."""

import asyncio
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from certificates import certificate
from proxy import Proxy
from service import Service

from matchbook import (
    AsyncMatchbook,
    BadToken,
    InsecureConnection,
    Matchbook,
    MatchEvent,
    RetryPolicy,
    Seat,
    Unreachable,
)
from matchbook.pettingzoo import raw_env
from matchbook.pettingzoo.drawing import draw

QUICK = RetryPolicy(attempts=3, initial_delay=0.01)
PATIENT = RetryPolicy(attempts=1000, initial_delay=0.05, max_delay=0.5)


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    started = Proxy(service.address)
    yield started
    started.close()


def start(client: Matchbook) -> tuple[Seat, Seat]:
    match = client.create_match("ludus-magus")
    return match.claim(0, "Ann"), match.claim(1, "Ben")


def kinds(client: Matchbook, match_id: str) -> list[str]:
    return [event.kind for event in client.match(match_id).events()]


def test_a_service_that_is_away_is_unreachable() -> None:
    with Matchbook("127.0.0.1:1", retry=QUICK) as client:
        with pytest.raises(Unreachable, match="cannot reach the service at http://127.0.0.1:1: ") as caught:
            client.create_match("ludus-magus")
        assert caught.value.is_transient and caught.value.retry_after is None
        with pytest.raises(Unreachable):
            next(client.match("id").watch())
        with pytest.raises(Unreachable):
            next(client.games())

    async def call() -> None:
        async with AsyncMatchbook("127.0.0.1:1", retry=QUICK) as client:
            with pytest.raises(Unreachable):
                await client.game("ludus-magus")
            with pytest.raises(Unreachable):
                await anext(client.feed())

    asyncio.run(call())


def test_a_service_that_never_answers_is_unreachable_after_the_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Matchbook(address, timeout=0.2, retry=RetryPolicy.none()) as client:
            with pytest.raises(Unreachable) as caught:
                client.create_match("ludus-magus")
            assert caught.value.server == f"http://{address}"


@pytest.fixture(scope="module")
def tls_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Path]]:
    folder = tmp_path_factory.mktemp("tls")
    trusted, key = certificate(folder, "trusted")
    options = ("--tls-cert", str(trusted), "--tls-key", str(key))
    with Service(folder, options=options) as started:
        yield started, trusted


def test_tls(tls_service: tuple[Service, Path], tmp_path: Path) -> None:
    service, trusted = tls_service
    with Matchbook(f"https://{service.address}", ca_file=trusted, timeout=120) as client:
        assert client.create_match("ludus-magus").get().game_id == "ludus-magus"
    other, _ = certificate(tmp_path, "other")
    for ca_file in (other, None):
        with Matchbook(f"https://{service.address}", ca_file=ca_file, timeout=120) as client:
            with pytest.raises(InsecureConnection, match="CERTIFICATE_VERIFY_FAILED") as caught:
                client.create_match("ludus-magus")
            assert not caught.value.is_transient
    with pytest.raises(ValueError, match="no certificate in PEM form"):
        Matchbook(f"https://{service.address}", ca_file=__file__)
    with pytest.raises(ValueError, match="ca_file has no effect"):
        Matchbook(f"http://{service.address}", ca_file=trusted)


def test_an_environment_draws_over_tls(tls_service: tuple[Service, Path]) -> None:
    service, trusted = tls_service
    address = f"https://{service.address}"
    zoo = raw_env("ludus-magus", address, ca_file=trusted, render_mode="ansi")
    zoo.reset()
    assert (zoo.render() or "").startswith("Ludus Magus, turn 1")
    with pytest.raises(InsecureConnection, match="cannot draw the match"):
        draw(address, zoo.match_id, "txt", None)
    with pytest.raises(Unreachable, match="cannot draw the match"):
        draw("http://127.0.0.1:1", zoo.match_id, "txt", None)
    zoo.close()


def test_a_client_and_a_service_that_differ_in_tls(
    service: Service, tls_service: tuple[Service, Path]
) -> None:
    with Matchbook(f"https://{service.address}", ca_file=tls_service[1], retry=QUICK) as client:
        with pytest.raises(InsecureConnection, match="WRONG_VERSION_NUMBER"):
            next(client.games())
    with Matchbook(f"http://{tls_service[0].address}", retry=QUICK) as client:
        with pytest.raises(Unreachable):
            next(client.games())


def test_a_line_with_long_delays_is_no_failure(tls_service: tuple[Service, Path]) -> None:
    service, trusted = tls_service
    far = Proxy(service.address, delay=0.4)
    with Matchbook(f"https://{far.address}", ca_file=trusted) as client:
        assert client.game("ludus-magus").game_id == "ludus-magus"
    far.close()


def test_a_lost_answer_is_asked_for_again_and_nothing_is_made_twice(service: Service, proxy: Proxy) -> None:
    with Matchbook(proxy.address, retry=PATIENT) as client:
        next(client.games())
        proxy.lose_the_next_answer()
        match = client.create_match("ludus-magus")
        proxy.lose_the_next_answer()
        light = match.claim(0, "Ann")
        dark = match.claim(1, "Ben")
        assert light.legal_moves().complete, "the token came with the second answer"
        proxy.lose_the_next_answer()
        played = light.play("a1-a2")
        assert played.events[0].notation == "a1-a2"
        proxy.lose_the_next_answer()
        token = light.renew_token()
        assert light.token == token and dark.resign().is_over
        assert proxy.connections >= 5
    with Matchbook(service.address) as direct:
        made = kinds(direct, light.match_id)
        assert made.count("move_made") == 1 and made.count("seat_token_rotated") == 1
        assert made.count("seat_claimed") == 2


def test_a_cut_watch_resumes_without_a_gap_or_a_double(service: Service, proxy: Proxy) -> None:
    with Matchbook(service.address) as direct, Matchbook(proxy.address, retry=PATIENT) as client:
        light, dark = start(direct)
        seen: list[MatchEvent] = []
        watch = client.match(light.match_id).watch(after_seq=0)
        for turn in range(12):
            seat = (light, dark)[turn % 2]
            played = seat.play(seat.suggest(seed=turn))
            while watch.seq is None or watch.seq < played.events[-1].seq:
                seen.append(next(watch))
            assert watch.hash == played.events[-1].hash
            if turn % 3 == 0:
                proxy.cut()
        dark.resign()
        seen += watch
        assert [event.seq for event in seen] == list(range(1, seen[-1].seq + 1))
        assert seen[-1].kind == "match_ended" and proxy.connections >= 4


def test_an_async_watch_survives_cuts_and_timeouts(service: Service, proxy: Proxy) -> None:
    async def watch() -> None:
        async with (
            AsyncMatchbook(service.address) as direct,
            AsyncMatchbook(proxy.address, retry=PATIENT) as client,
        ):
            match = await direct.create_match("ludus-magus")
            light, dark = await match.claim(0, "Ann"), await match.claim(1, "Ben")
            watch = client.match(match.match_id).watch(after_seq=0)
            seen = [await anext(watch) for _ in range(4)]
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(watch), 0.2)
            await light.play("a1-a2")
            seen.append(await anext(watch))
            proxy.cut()
            await dark.resign()
            seen += [event async for event in watch]
            assert [event.seq for event in seen] == [1, 2, 3, 4, 5, 6]

    asyncio.run(watch())


def test_a_token_that_becomes_void_ends_the_watch_of_its_seat(client: Matchbook) -> None:
    light, _ = start(client)
    watch = light.watch(after_seq=0)
    assert [next(watch).seq for _ in range(4)] == [1, 2, 3, 4]
    owner = client.seat(light.match_id, light.token)
    owner.renew_token()
    with pytest.raises(BadToken):
        list(watch)
    assert watch.seq is not None and watch.seq >= 4
    resumed = owner.watch(watch.seq, after_hash=watch.hash)
    owner.resign()
    assert list(resumed)[-1].kind == "match_ended"


def test_a_restart_during_a_watch(own_service: Service) -> None:
    with Matchbook(own_service.address, retry=PATIENT) as client:
        light, dark = start(client)
        watch = light.watch(after_seq=0)
        seen = [next(watch) for _ in range(4)]
        own_service.restart()
        light.play("a1-a2")
        seen.append(next(watch))
        own_service.restart()
        dark.resign()
        assert [event.seq for event in [*seen, *watch]] == [1, 2, 3, 4, 5, 6]


def test_restarts_during_moves_lose_and_double_nothing(own_service: Service) -> None:
    with Matchbook(own_service.address, retry=PATIENT) as client:
        seats = start(client)
        made: list[str] = []
        done = threading.Event()

        def play() -> None:
            while not done.is_set() and len(made) < 2000:
                seat = seats[len(made) % 2]
                made.append(seat.play(seat.suggest()).events[0].receipt)

        player = threading.Thread(target=play)
        player.start()
        for _ in range(3):
            reached = len(made)
            while len(made) < reached + 5 and player.is_alive():
                time.sleep(0.005)
            own_service.restart()
        done.set()
        player.join()
        logged = [event.receipt for event in client.match(seats[0].match_id).events() if event.notation]
        assert logged == made and len(made) >= 15


def test_a_slow_reader_gets_everything_and_others_are_served_meanwhile(client: Matchbook) -> None:
    seats = start(client)
    with Matchbook(client.server) as slow:
        watch = slow.match(seats[0].match_id).watch(after_seq=0, views=True)
        assert next(watch).seq == 1
        head = 4
        for turn in range(150):
            played = seats[turn % 2].play(seats[turn % 2].legal_moves(limit=3)[-1])
            head = played.events[-1].seq
            if played.is_over:
                break
        else:
            head = seats[0].resign().events[-1].seq
        assert head > 20, "the match was too short to fill a window"
        assert [event.seq for event in watch] == list(range(2, head + 1))


def test_an_interrupted_watch_ends_at_once_and_the_seat_stays(service: Service, client: Matchbook) -> None:
    light, _ = start(client)
    program = (
        "import sys, matchbook\n"
        "server, match_id, token = sys.argv[1:]\n"
        "with matchbook.Matchbook(server) as client:\n"
        "    for event in client.seat(match_id, token).watch(after_seq=0):\n"
        "        print(event.seq, flush=True)\n"
    )
    arguments = [sys.executable, "-c", program, service.address, light.match_id, light.token]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watcher:
        assert watcher.stdout is not None and watcher.stderr is not None
        assert [watcher.stdout.readline() for _ in range(4)] == ["1\n", "2\n", "3\n", "4\n"]
        watcher.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in watcher.stderr.read()
        watcher.wait()
    assert light.play("a1-a2").events[0].notation == "a1-a2"


def test_an_interrupted_call_leaves_the_client_usable(client: Matchbook, proxy: Proxy) -> None:
    light, _ = start(client)
    with Matchbook(proxy.address) as other:
        watch = other.match(light.match_id).watch(after_seq=4)
        main = threading.main_thread().ident
        assert main is not None

        def interrupt() -> None:
            while not light.count_spectators():
                time.sleep(0.01)
            signal.pthread_kill(main, signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            threading.Thread(target=interrupt).start()
            next(watch)
        light.resign()
        assert [event.kind for event in watch] == ["match_ended"]


def test_two_exports_write_the_same_over_a_cut_connection(
    service: Service, client: Matchbook, proxy: Proxy, tmp_path: Path
) -> None:
    matches = [start(client)[0].match_id for _ in range(5)]
    exported = client.export_matches(tmp_path / "direct", status="running", game_id="ludus-magus")
    assert exported.matches >= 5 and exported.skipped == {}
    with Matchbook(proxy.address, retry=PATIENT) as cut:
        next(cut.games())
        proxy.lose_the_next_answer()
        again = cut.export_matches(tmp_path / "cut", status="running", game_id="ludus-magus")
        proxy.lose_the_next_answer()
        cut.match(matches[0]).export(tmp_path / "one.jsonl")
    assert again.matches == exported.matches
    names = sorted(path.name for path in (tmp_path / "direct").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "cut").iterdir())
    for match_id in matches:
        files = [tmp_path / folder / f"{match_id}.jsonl" for folder in ("direct", "cut")]
        assert files[0].read_text().splitlines()[:-1] == files[1].read_text().splitlines()[:-1]
    assert (tmp_path / "one.jsonl").exists()
