"""Signed notes (https://c2sp.org/signed-note) and their keys."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from . import ed25519
from .log_file import LogFile

NAME = re.compile(r"[A-Za-z0-9.\-_/:]{1,64}\Z")


class BadNote(Exception):
    """A text is not a signed note or not a key."""


@dataclass(frozen=True)
class PublicKey:
    """A public key with its name."""

    name: str
    key: bytes

    @property
    def id(self) -> bytes:
        """The ID that signatures refer to."""
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.key).digest()[:4]

    def __str__(self) -> str:
        tagged = base64.b64encode(b"\x01" + self.key).decode()
        return f"{self.name}+{self.id.hex()}+{tagged}"


def read_key(text: str) -> PublicKey:
    """Parses a key of the form `NAME+ID+KEY`."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not NAME.match(parts[0]):
        raise BadNote("a public key must have the form NAME+ID+KEY")
    tagged = unbase64(parts[2])
    if len(tagged) != 33 or tagged[0] != 1:
        raise BadNote("the public key is not an Ed25519 key")
    key = PublicKey(parts[0], tagged[1:])
    if key.id.hex() != parts[1]:
        raise BadNote("the public key's ID does not fit its name and key")
    return key


@dataclass(frozen=True)
class SignedHead:
    """A signed statement of a log's head, apart from a file. Its signatures are not verified yet."""

    service: str
    match_id: str
    seq: int
    hash: str
    text: str
    # Name and bytes of each signature, the key's ID first.
    signatures: tuple[tuple[str, bytes], ...]

    def is_signed_by(self, key: PublicKey) -> bool:
        """Returns whether a key has signed it. Every signature that claims to be the key's must be valid."""
        claimed = [data[4:] for name, data in self.signatures if (name, data[:4]) == (key.name, key.id)]
        return bool(claimed) and all(ed25519.is_signed(key.key, self.text.encode(), data) for data in claimed)


HEAD = re.compile(
    r"matchbook log head v1\nservice ([A-Za-z0-9.\-_/:]{1,64})\nmatch ([0-9a-f-]{36})\ngame [^\n]*\n"
    r"rules [0-9]{1,10}\nseq ([1-9][0-9]{0,9})\nhash ([0-9a-f]{64})\n"
)


def read_head(note: str) -> SignedHead | None:
    """Parses a signed head. Returns None if a text is not one."""
    text, _, lines = note.partition("\n\n")
    text += "\n"
    match = HEAD.fullmatch(text)
    if match is None or not lines.endswith("\n"):
        return None
    signatures = []
    for line in lines[:-1].split("\n"):
        dash, _, rest = line.partition(" ")
        name, _, base64_text = rest.partition(" ")
        try:
            signatures.append((name, unbase64(base64_text)))
        except BadNote:
            return None
        if dash != "\u2014":
            return None
    return SignedHead(match[1], match[2], int(match[3]), match[4], text, tuple(signatures))


def head_text(log: LogFile) -> str:
    """Returns the text that the note of a file must have."""
    last = log.events[-1]
    return (
        f"matchbook log head v1\nservice {log.service}\nmatch {log.match_id}\ngame {log.game}\n"
        f"rules {log.rules_version}\nseq {last.seq}\nhash {last.hash.hex()}\n"
    )


def is_signed(note: str, text: str, key: PublicKey) -> bool:
    """Returns whether the note is this text with exactly one signature, valid under this key."""
    start = text + "\n\u2014 " + key.name + " "
    if not note.startswith(start) or not note.endswith("\n"):
        return False
    signature = unbase64(note[len(start) : -1])
    return signature[:4] == key.id and ed25519.is_signed(key.key, text.encode(), signature[4:])


def unbase64(text: str) -> bytes:
    """Decodes padded base64 in its canonical spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote(str(error)) from None
    if base64.b64encode(data).decode() != text:
        raise BadNote("base64 is not in its canonical spelling")
    return data
