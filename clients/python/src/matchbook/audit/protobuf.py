"""The part of protobuf that log files need."""

from collections.abc import Iterator
from typing import Any

# What `read` is to find: field number, wire type and default.
Wanted = tuple[int, int, Any]


class BadMessage(Exception):
    """The bytes are not a protobuf message."""


VARINT, LENGTH = 0, 2


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Reads a varint. Returns its value and the index after it."""
    value = 0
    for index in range(10):
        if at + index >= len(data):
            raise BadMessage("truncated")
        byte = data[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if value >= 2**64:
                raise BadMessage("varint too large")
            return value, at + index + 1
    raise BadMessage("varint too long")


def write_varint(value: int) -> bytes:
    """Formats the shortest varint."""
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yields all fields as (number, wire type, value)."""
    at = 0
    value: int | bytes
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise BadMessage("field number 0")
        if wire == VARINT:
            value, at = varint(data, at)
        elif wire == LENGTH:
            length, at = varint(data, at)
            if at + length > len(data):
                raise BadMessage("truncated")
            value, at = data[at : at + length], at + length
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
            if at + length > len(data):
                raise BadMessage("truncated")
            value, at = data[at : at + length], at + length
        else:
            raise BadMessage("unknown wire type")
        yield number, wire, value


def read(data: bytes, **wanted: Wanted) -> dict[str, Any]:
    """Returns fields by name, given `name=(number, wire type, default)`. The last of several wins."""
    found = {name: default for name, (_, _, default) in wanted.items()}
    places = {number: (name, wire) for name, (number, wire, _) in wanted.items()}
    for number, wire, value in fields(data):
        if number in places:
            name, expected = places[number]
            if wire != expected:
                raise BadMessage("a field has the wrong type")
            found[name] = value
    return found


def write(*parts: tuple[int, Any]) -> bytes:
    """Formats (number, value) pairs. Omits None and defaults; a list of one value is never omitted."""
    data = bytearray()
    for number, value in parts:
        if isinstance(value, list):
            (value,) = value
        elif not value:
            continue
        if isinstance(value, int):
            data += write_varint(number << 3 | VARINT) + write_varint(value % 2**64)
        else:
            data += write_varint(number << 3 | LENGTH) + write_varint(len(value)) + value
    return bytes(data)
