"""Signed notes (https://c2sp.org/signed-note) and the keys that they are signed with."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from . import ed25519

NAME = re.compile(r"[A-Za-z0-9.\-_/:]{1,64}\Z")


class BadNote(Exception):
    """A text is no signed note, or no key."""


@dataclass(frozen=True)
class PublicKey:
    """A key with its name."""

    name: str
    key: bytes

    @property
    def id(self):
        """What signatures are found by."""
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.key).digest()[:4]

    def __str__(self):
        tagged = base64.b64encode(b"\x01" + self.key).decode()
        return f"{self.name}+{self.id.hex()}+{tagged}"


def read_key(text):
    """The key of a text `NAME+ID+KEY`."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not NAME.match(parts[0]):
        raise BadNote("a public key has the form NAME+ID+KEY")
    tagged = unbase64(parts[2])
    if len(tagged) != 33 or tagged[0] != 1:
        raise BadNote("the key is no Ed25519 public key")
    key = PublicKey(parts[0], tagged[1:])
    if key.id.hex() != parts[1]:
        raise BadNote("the key's ID does not belong to its name and key")
    return key


def head_text(log):
    """What the note of a file has to say."""
    last = log.events[-1]
    return (
        f"matchbook log head v1\nservice {log.service}\nmatch {log.match_id}\ngame {log.game}\n"
        f"rules {log.rules_version}\nseq {last.seq}\nhash {last.hash.hex()}\n"
    )


def is_signed(note, text, key):
    """Whether the note is this text with one signature, and that is a good one of this key."""
    start = text + "\n\u2014 " + key.name + " "
    if not note.startswith(start) or not note.endswith("\n"):
        return False
    signature = unbase64(note[len(start) : -1])
    return signature[:4] == key.id and ed25519.is_signed(key.key, text.encode(), signature[4:])


def unbase64(text):
    """Bytes of padded base64 in its one spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote(str(error)) from None
    if base64.b64encode(data).decode() != text:
        raise BadNote("base64 in another spelling")
    return data
