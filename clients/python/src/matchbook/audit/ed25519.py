"""Ed25519 verification as in RFC 8032, section 5.1. No input is secret, so nothing runs in constant time."""

import hashlib
from typing import cast

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)

# Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """Adds two points."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    x, z, t, y = f - e, h - g, h + g, f + e
    return (x * z % P, t * y % P, z * t % P, x * y % P)


def multiply(scalar: int, point: Point) -> Point:
    """Multiplies a point by a scalar."""
    total = NEUTRAL
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def is_equal(a: Point, b: Point) -> bool:
    """Returns whether two points are equal."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def decompress(data: bytes) -> Point | None:
    """Decodes a point. Returns None if the bytes are not a point's canonical encoding."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


# RFC 8032 gives the base point as its y = 4/5; this decodes.
BASE = cast(Point, decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")))


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Returns whether a signature is valid. Rejects keys and nonces of small order."""
    if len(key) != 32 or len(signature) != 64:
        return False
    public, nonce = decompress(key), decompress(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or nonce is None or scalar >= ORDER:
        return False
    if any(is_equal(multiply(8, point), NEUTRAL) for point in (public, nonce)):
        return False
    hashed = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(hashed, "little") % ORDER
    return is_equal(multiply(scalar, BASE), add(nonce, multiply(challenge, public)))
