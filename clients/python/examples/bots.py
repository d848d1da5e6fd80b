"""Measures how many moves a second bots make: one match with a thread, many matches with asyncio.

    python bots.py --server 127.0.0.1:7420 --matches 32 --seconds 10

The bots play both seats of Angels and Demons, where every black space is always legal, so they call the
service for moves only. Each match is a loop that waits for one answer before it sends the next move. Creating
the matches is not measured; they stay in the service's database. The callers of `cargo xtask bench` do the
same in Rust.
"""

import argparse
import asyncio
import itertools
import sys
import time
from collections.abc import Callable, Iterator

from tqdm import tqdm

from matchbook import AsyncMatchbook, AsyncSeat, Matchbook

# The game's maximum of turns, so that no match ends early.
GAME, OPTIONS = "angels-and-demons", {"rows": 8, "cols": 8, "turns": 1000}
NAMES = ("Ann", "Ben")


def choices() -> Iterator[str]:
    """Yields black spaces for ever."""
    return itertools.cycle(f"{i},{i}" for i in range(1, OPTIONS["rows"] + 1))


def in_turn(server: str, seconds: float) -> float:
    """Returns the moves a second of one match with the client for threads."""
    with Matchbook(server) as client:
        match = client.create_match(GAME, OPTIONS, visibility="unlisted")
        seats = [match.claim(seat, name) for seat, name in enumerate(NAMES)]
        moves, began = 0, time.monotonic()
        for choice in itertools.islice(choices(), OPTIONS["turns"]):
            if time.monotonic() - began >= seconds:
                break
            for seat in seats:
                seat.play(choice)
                moves += 1
        return moves / (time.monotonic() - began)


async def at_once(server: str, matches: int, seconds: float) -> float:
    """Returns the moves a second of many matches with the client for asyncio."""
    async with AsyncMatchbook(server) as client:
        pairs = await asyncio.gather(*(create(client) for _ in range(matches)))
        began = time.monotonic()
        counts = await asyncio.gather(*(play(seats, began + seconds) for seats in pairs))
        return sum(counts) / (time.monotonic() - began)


async def create(client: AsyncMatchbook) -> list[AsyncSeat]:
    """Starts a match and returns its seats."""
    match = await client.create_match(GAME, OPTIONS, visibility="unlisted")
    return [await match.claim(seat, name) for seat, name in enumerate(NAMES)]


async def play(seats: list[AsyncSeat], until: float) -> int:
    """Plays a match for a while, at most to its end. Returns the number of moves."""
    moves = 0
    for choice in itertools.islice(choices(), OPTIONS["turns"]):
        if time.monotonic() >= until:
            break
        for seat in seats:
            await seat.play(choice)
            moves += 1
    return moves


def main() -> None:
    """Parses the arguments and prints a line per figure."""
    parser = argparse.ArgumentParser(description="Measure how many moves a second bots make")
    parser.add_argument("--server", default="127.0.0.1:7420", help="address of the service")
    parser.add_argument("--matches", type=int, default=32, help="matches at once with asyncio")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each figure is measured")
    arguments = parser.parse_args()
    server, matches, seconds = arguments.server, arguments.matches, arguments.seconds
    figures: list[tuple[str, Callable[[], float]]] = [
        ("threads, 1 match", lambda: in_turn(server, seconds)),
        ("asyncio, 1 match", lambda: asyncio.run(at_once(server, 1, seconds))),
        (f"asyncio, {matches} matches", lambda: asyncio.run(at_once(server, matches, seconds))),
    ]
    for name, measure in tqdm(figures, unit="figure", leave=False, disable=not sys.stderr.isatty()):
        tqdm.write(f"{name}: {measure():.0f} moves/s")


if __name__ == "__main__":
    main()
