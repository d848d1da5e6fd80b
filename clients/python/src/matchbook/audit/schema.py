"""What a message has, and a reader that accepts exactly one encoding of each content."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .protobuf import LENGTH, VARINT, BadMessage, varint

# Types of fields. A nested message is the dict of its fields.
UINT32, UINT64, BOOL, ENUM, BYTES, TEXT = "uint32", "uint64", "bool", "enum", "bytes", "text"

# The decoded fields of a message by name.
Fields = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of a message."""

    name: str
    type: "str | Message"
    # Whether an absent field differs from its default.
    optional: bool = False
    repeated: bool = False
    # The group of fields of which at most one is present.
    oneof: str | None = None


# The fields of a message by number.
Message = Mapping[int, Field]


DEFAULTS: dict[str | Message, Any] = {UINT32: 0, UINT64: 0, BOOL: False, ENUM: 0, BYTES: b"", TEXT: ""}


def decode(message: Message, data: bytes) -> Fields:
    """Returns the fields of a message by name. Raises BadMessage unless `data` is its canonical encoding."""
    found = {field.name: default(field) for field in message.values()}
    groups = set[str]()
    at = last = 0
    while at < len(data):
        tag, at = shortest_varint(data, at)
        number, wire = tag >> 3, tag & 7
        field = message.get(number)
        if field is None:
            raise BadMessage(f"there is no field {number}")
        if number < last or (number == last and not field.repeated):
            raise BadMessage(f"field {number} is out of order, or twice there")
        if wire != (VARINT if field.type in (UINT32, UINT64, BOOL, ENUM) else LENGTH):
            raise BadMessage(f"field {number} has the wrong type")
        if field.oneof in groups:
            raise BadMessage(f"field {number} excludes another one")
        if field.oneof:
            groups.add(field.oneof)
        value, at = read_value(field, data, at)
        if field.repeated:
            found[field.name].append(value)
        elif value == default(field):
            raise BadMessage(f"field {number} has its default value")
        else:
            found[field.name] = value
        last = number
    return found


def default(field: Field) -> Any:
    """Returns what an absent field reads as."""
    if field.repeated:
        return []
    return None if field.optional else DEFAULTS[field.type]


def read_value(field: Field, data: bytes, at: int) -> tuple[Any, int]:
    """Reads the value of a field. Returns it and the index after it."""
    if field.type in (UINT32, UINT64, BOOL, ENUM):
        raw, at = shortest_varint(data, at)
        return number_of(field.type, raw), at
    length, at = shortest_varint(data, at)
    if at + length > len(data):
        raise BadMessage("truncated")
    value, end = data[at : at + length], at + length
    if not isinstance(field.type, str):
        return decode(field.type, value), end
    return value.decode() if field.type == TEXT else value, end


def number_of(type: str | Message, raw: int) -> int:
    """Converts a varint to the value of a field."""
    if type == UINT32 and raw >= 2**32:
        raise BadMessage("a number exceeds 32 bits")
    if type == BOOL:
        if raw > 1:
            raise BadMessage("neither true nor false")
        return raw == 1
    if type == ENUM:
        number = raw - 2**64 if raw >= 2**63 else raw
        if not -(2**31) <= number < 2**31:
            raise BadMessage("a number exceeds 32 bits")
        return number
    return raw


def shortest_varint(data: bytes, at: int) -> tuple[int, int]:
    """Reads a varint without superfluous bytes. Returns its value and the index after it."""
    value, end = varint(data, at)
    if end - at > 1 and data[end - 1] == 0:
        raise BadMessage("a varint is not in its shortest form")
    return value, end
