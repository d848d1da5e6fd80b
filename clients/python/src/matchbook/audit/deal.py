"""The seed of a match, and the packs of Ace Exorcist that it shuffles."""

import hashlib
import struct
from collections.abc import Iterable, Iterator

SUITS = (("Blood", "Blade", "Flame"), ("Bell", "Book", "Candle"))
FIRST_HANDS = (6, 5)


def seed(match_id: bytes, server: bytes, entropy: Iterable[bytes]) -> bytes:
    """Derives the seed of a match."""
    data = b"matchbook.seed.v1\0" + match_id + server
    for each in entropy:
        data += bytes([len(each)]) + each
    return hashlib.sha256(data).digest()


def packs(seed_bytes: bytes) -> list[list[str]]:
    """Returns both packs, each with its top card first."""
    return [shuffled(seed_bytes, seat) for seat in (0, 1)]


def shuffled(seed_bytes: bytes, seat: int) -> list[str]:
    """Returns a seat's pack as texts such as `Blade 7`."""
    words = key_stream(seed_bytes, bytes(11) + bytes([seat]))
    pack = [f"{suit} {value}" for suit in SUITS[seat] for value in range(1, 11)]
    for i in range(29, 0, -1):
        count = i + 1
        limit = 2**32 // count * count
        word = next(word for word in words if word < limit)
        j = word % count
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def key_stream(key: bytes, nonce: bytes) -> Iterator[int]:
    """Yields the words of a ChaCha20 key stream (RFC 8439)."""
    start = list(struct.unpack("<4I8I", b"expand 32-byte k" + key))
    counter = 0
    while True:
        block = start + [counter, *struct.unpack("<3I", nonce)]
        state = list(block)
        for _ in range(10):
            for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
                quarter_round(state, a, b, c, d)
            for a, b, c, d in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                quarter_round(state, a, b, c, d)
        yield from ((x + y) & 0xFFFFFFFF for x, y in zip(state, block))
        counter += 1


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """Applies the quarter round of RFC 8439, section 2.1, in place."""
    for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & 0xFFFFFFFF
        turned = state[z] ^ state[x]
        state[z] = (turned << bits | turned >> (32 - bits)) & 0xFFFFFFFF
