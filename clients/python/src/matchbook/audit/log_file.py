"""The two forms of a log file.

Each content has exactly one spelling, so every record is formatted again and compared.
"""

import base64
import binascii
import hashlib
import json
import re
import unicodedata
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from . import protobuf
from .protobuf import LENGTH, VARINT

MAGIC = b"\x8bmblog\n\x01"
MAX_BYTES = 256 << 20
MAX_EVENTS = 1 << 20
MAX_PART = 4 << 20


# A record: its kind and its fields by name.
Record = tuple[str, dict[str, Any]]

# Errors of the parsers below for malformed records.
MALFORMED = (protobuf.BadMessage, UnicodeDecodeError, ValueError, KeyError, TypeError, RecursionError)


class Unreadable(Exception):
    """The bytes are not a log file in canonical form."""


@dataclass
class Event:
    """An event of a file; its opening is not verified yet."""

    seq: int
    time: int
    kind: int
    public: bytes
    commitment: bytes | None
    opened: bytes | None
    hash: bytes

    def can_be_opened_by(self, opening: bytes) -> bool:
        """Returns whether bytes are the sealed part: the salt, then the secret."""
        return len(opening) >= 32 and hashlib.sha256(opening).digest() == self.commitment


@dataclass
class LogFile:
    """A parsed file. Only its form has been checked."""

    service: str
    match_id: uuid.UUID
    game: str
    rules_version: int
    events: list[Event] = field(default_factory=list)
    note: str = ""
    public_key: str = ""


def read_from(file: BinaryIO) -> LogFile:
    """Parses what an open file has, which may be longer than allowed."""
    return read(file.read(MAX_BYTES + 1))


def read(data: bytes) -> LogFile:
    """Parses a file in either form."""
    if len(data) > MAX_BYTES:
        raise Unreadable("the file exceeds 256 MiB")
    try:
        if data[:1] == b"{":
            records = [json_record(line) for line in json_lines(data)]
        elif data[:1] == MAGIC[:1] and data.startswith(MAGIC):
            records = [binary_record(record) for record in delimited(data)]
        else:
            raise Unreadable("not a log file: it starts like neither form")
    except MALFORMED as error:
        raise Unreadable(f"a record is not in canonical form: {error}") from None
    return assemble(records)


def assemble(records: list[Record]) -> LogFile:
    """Puts a file together: a header, events, a head."""
    if not records or records[0][0] != "header":
        raise Unreadable("the first record must be the header")
    if records[-1][0] != "head" or len(records) < 2:
        raise Unreadable("the last record is not a signed head: the tail is missing")
    if any(kind != "event" for kind, _ in records[1:-1]):
        raise Unreadable("a record between header and head is not an event")
    if len(records) - 2 > MAX_EVENTS:
        raise Unreadable("the file exceeds 1048576 events")
    header, head = records[0][1], records[-1][1]
    texts = (header["service"], header["gameId"], head["note"], head["publicKey"])
    if any(unicodedata.category(char) == "Cc" and char != "\n" for text in texts for char in text):
        raise Unreadable("a string has control characters")
    if header["formatVersion"] != 1:
        raise Unreadable("the format version is not supported, only version 1")
    match_id = uuid.UUID(header["matchId"]) if re.fullmatch(r"[0-9a-f-]{36}", header["matchId"]) else None
    if match_id is None or str(match_id) != header["matchId"]:
        raise Unreadable("the match id is not a lower-case UUID with hyphens")
    log = LogFile(header["service"], match_id, header["gameId"], header["rulesVersion"])
    log.events = [event(fields) for _, fields in records[1:-1]]
    log.note, log.public_key = head["note"], head["publicKey"]
    return log


def event(fields: dict[str, Any]) -> Event:
    """Builds an event and checks its lengths and ranges."""
    parsed = Event(
        fields["seq"],
        fields["recordTimeUs"],
        fields["kind"],
        fields["publicPart"],
        fields.get("commitment"),
        fields.get("opened"),
        fields["hash"],
    )
    if len(parsed.hash) != 32 or (parsed.commitment is not None and len(parsed.commitment) != 32):
        raise Unreadable("a hash must have 32 bytes")
    if parsed.kind >= 2**16 or max(len(parsed.public), len(parsed.opened or b"")) > MAX_PART:
        raise Unreadable("an event exceeds a limit")
    if parsed.opened is not None and parsed.commitment is None:
        raise Unreadable("an opened part has no commitment")
    return parsed


def json_lines(data: bytes) -> list[str]:
    """Splits the JSON form into lines."""
    if not data.endswith(b"\n"):
        raise Unreadable("the last line has no line feed")
    return [line.decode() for line in data[:-1].split(b"\n")]


NUMBERS = {"formatVersion", "rulesVersion", "seq", "kind"}
TEXTS = {"service", "matchId", "gameId", "note", "publicKey"}
ORDER = {
    "header": ("formatVersion", "service", "matchId", "gameId", "rulesVersion"),
    "event": ("seq", "recordTimeUs", "kind", "publicPart", "commitment", "opened", "hash"),
    "head": ("note", "publicKey"),
}
OPTIONAL = {"commitment", "opened"}


def json_record(line: str) -> Record:
    """Parses a record of the JSON form."""
    record = json.loads(line)
    ((kind, raw),) = record.items()
    read_fields = {name: json_value(name, value) for name, value in raw.items()}
    if json_line(kind, read_fields) != line:
        raise ValueError("another encoding of the same content")
    return kind, read_fields


def json_value(name: str, value: object) -> int | str | bytes:
    """Converts a field from JSON."""
    if name in NUMBERS:
        if type(value) is not int or not 0 <= value < 2**32:
            raise ValueError("a number is out of range")
        return value
    if type(value) is not str:
        raise ValueError("a string is expected")
    if name in TEXTS:
        return value
    if name == "recordTimeUs":
        number = int(value)
        if not -(2**63) <= number < 2**63:
            raise ValueError("a time is out of range")
        return number
    try:
        return base64.b64decode(value, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def json_line(kind: str, values: dict[str, Any]) -> str:
    """Formats a record as a line."""
    parts = []
    for name in ORDER[kind]:
        if name in OPTIONAL and name not in values:
            continue
        value = values[name]
        if name in NUMBERS:
            text = str(value)
        elif name == "recordTimeUs":
            text = f'"{value}"'
        elif name in TEXTS:
            text = '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        else:
            text = '"' + base64.b64encode(value).decode() + '"'
        parts.append(f'"{name}":{text}')
    return '{"' + kind + '":{' + ",".join(parts) + "}}"


def delimited(data: bytes) -> Iterator[bytes]:
    """Yields the encoded records of the binary form."""
    at = len(MAGIC)
    while at < len(data):
        length, start = protobuf.varint(data, at)
        if protobuf.write_varint(length) != data[at:start] or start + length > len(data):
            raise Unreadable("a record is truncated, or its length is not in canonical form")
        yield data[start : start + length]
        at = start + length


# For each kind of record, its field number and its own fields with number, wire type and default.
BINARY: dict[str, tuple[int, dict[str, protobuf.Wanted]]] = {
    "header": (1, {
        "formatVersion": (1, VARINT, 0),
        "service": (2, LENGTH, b""),
        "matchId": (3, LENGTH, b""),
        "gameId": (4, LENGTH, b""),
        "rulesVersion": (5, VARINT, 0),
    }),
    "event": (2, {
        "seq": (1, VARINT, 0),
        "recordTimeUs": (2, VARINT, 0),
        "kind": (3, VARINT, 0),
        "publicPart": (4, LENGTH, b""),
        "commitment": (5, LENGTH, None),
        "opened": (6, LENGTH, None),
        "hash": (7, LENGTH, b""),
    }),
    "head": (3, {"note": (1, LENGTH, b""), "publicKey": (2, LENGTH, b"")}),
}  # fmt: skip


def binary_record(data: bytes) -> Record:
    """Parses a record of the binary form."""
    ((number, _, body),) = protobuf.fields(data)
    kind = next((kind for kind, (own, _) in BINARY.items() if own == number), None)
    if kind is None:
        raise ValueError("a record of an unknown kind")
    _, layout = BINARY[kind]
    found = protobuf.read(body, **layout)
    parts = [
        (layout[name][0], [value] if name in OPTIONAL and value is not None else value)
        for name, value in found.items()
    ]
    if protobuf.write((number, [protobuf.write(*parts)])) != data:
        raise ValueError("another encoding of the same content")
    return kind, {name: binary_value(name, value) for name, value in found.items() if value is not None}


def binary_value(name: str, value: Any) -> Any:
    """Converts a field from protobuf."""
    if name in TEXTS:
        return value.decode()
    if name == "recordTimeUs":
        return value - 2**64 if value >= 2**63 else value
    if name in NUMBERS and value >= 2**32:
        raise ValueError("a number is out of range")
    return value
