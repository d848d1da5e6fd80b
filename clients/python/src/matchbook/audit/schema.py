"""The messages of event.proto, and a reader that accepts exactly one encoding of each content."""

from dataclasses import dataclass

from .protobuf import LENGTH, VARINT, BadMessage, varint

# Types of fields. A nested message is the dict of its fields.
UINT32, UINT64, BOOL, ENUM, BYTES, TEXT = "uint32", "uint64", "bool", "enum", "bytes", "text"


@dataclass(frozen=True)
class Field:
    """A field of a message."""

    name: str
    type: str | dict
    # Whether an absent field differs from its default.
    optional: bool = False
    repeated: bool = False
    # The group of fields of which at most one is present.
    oneof: str | None = None


def present(name, type):
    """Returns a field whose absence differs from its default. Nested messages are such fields."""
    return Field(name, type, optional=True)


SEAT = present("seat", UINT32)

TIME_BANK = {1: Field("budget_us", UINT64), 2: Field("increment_us", UINT64)}
TIME_CONTROL = {
    1: Field("move_us", UINT64, optional=True, oneof="kind"),
    2: Field("bank", TIME_BANK, optional=True, oneof="kind"),
    3: Field("grace_us", UINT64),
}
TERMS = {
    1: Field("game_id", TEXT),
    2: Field("rules_version", UINT32),
    3: Field("options", BYTES),
    4: Field("seats", UINT32),
    5: Field("visibility", ENUM),
    6: present("time_control", TIME_CONTROL),
    7: Field("forbid_takebacks", BOOL),
}
FORKED_MOVE = {1: SEAT, 2: Field("move", BYTES)}
STANDING = {1: SEAT, 2: Field("rank", UINT32)}
RESULT = {1: Field("outcome", ENUM), 2: Field("standings", STANDING, repeated=True), 3: Field("reason", TEXT)}
OPENED_CHOICE = {1: SEAT, 2: Field("opened", BYTES)}

PLAYER = {1: Field("display_name", TEXT)}

# The message of each kind of event.
MESSAGES = {
    "created": {1: present("terms", TERMS), 2: present("rematch_of", BYTES)},
    "forked": {
        1: present("terms", TERMS),
        2: Field("parent_match_id", BYTES),
        3: Field("parent_seq", UINT32),
        4: Field("parent_hash", BYTES),
        5: Field("setup_seed", BYTES),
        6: Field("moves", FORKED_MOVE, repeated=True),
    },
    "claimed": {1: SEAT, 2: Field("entropy", BYTES)},
    "rotated": {1: SEAT, 2: Field("generation", UINT32)},
    "started": {},
    "made": {1: SEAT, 2: Field("move", BYTES), 3: Field("state_digest", BYTES)},
    "sealed": {1: SEAT},
    "revealed": {1: Field("choices", OPENED_CHOICE, repeated=True), 2: Field("state_digest", BYTES)},
    "proposed": {1: SEAT, 2: Field("kind", ENUM)},
    "answered": {
        1: SEAT,
        2: Field("kind", ENUM),
        3: Field("accepted", BOOL),
        4: Field("state_digest", BYTES),
    },
    "ended": {
        1: present("result", RESULT),
        2: Field("ended_by", ENUM),
        3: SEAT,
        4: Field("opened_seed", BYTES),
        5: Field("state_digest", BYTES),
    },
}

DEFAULTS = {UINT32: 0, UINT64: 0, BOOL: False, ENUM: 0, BYTES: b"", TEXT: ""}


def decode(message, data):
    """Returns the fields of a message by name. Raises BadMessage unless `data` is its canonical encoding."""
    found = {field.name: default(field) for field in message.values()}
    groups = set()
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


def default(field):
    """Returns what an absent field reads as."""
    if field.repeated:
        return []
    return None if field.optional else DEFAULTS[field.type]


def read_value(field, data, at):
    """Reads the value of a field. Returns it and the index after it."""
    if field.type in (UINT32, UINT64, BOOL, ENUM):
        raw, at = shortest_varint(data, at)
        return number_of(field.type, raw), at
    length, at = shortest_varint(data, at)
    if at + length > len(data):
        raise BadMessage("truncated")
    value = data[at : at + length]
    if field.type == TEXT:
        value = value.decode()
    elif field.type != BYTES:
        value = decode(field.type, value)
    return value, at + length


def number_of(type, raw):
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


def shortest_varint(data, at):
    """Reads a varint without superfluous bytes. Returns its value and the index after it."""
    value, end = varint(data, at)
    if end - at > 1 and data[end - 1] == 0:
        raise BadMessage("a varint is not in its shortest form")
    return value, end
