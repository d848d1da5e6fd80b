"""What a reader knows independently of a file: keys, and receipts for events."""

import base64
import re
from collections.abc import Sequence

from . import note
from .log_file import LogFile
from .note import PublicKey, SignedHead
from .refusal import Refused

# A signed head, or a hash as text with its seq.
Receipt = SignedHead | tuple[str, int]

HASH_AT_SEQ = re.compile(r"([0-9a-fA-F]{64}|[0-9A-Za-z+/]{43}=)@([0-9]{1,10})")

OTHER_EVENT = "the receipt is for another event than the log has there"


class BadArgument(Exception):
    """A key or a receipt that is neither spelled out nor in a file."""


def read_keys(text: str) -> list[PublicKey]:
    """Returns the keys that an argument names: one key, or those of a file with one key per line."""
    try:
        return [note.read_key(text)]
    except note.BadNote as error:
        keys = [key for line in (file_text(text) or "").splitlines() for key in key_in(line)]
        if not keys:
            raise BadArgument(f"{text} is neither a key ({error}) nor a file with one per line") from None
        return keys


def key_in(line: str) -> list[PublicKey]:
    """Returns the key that a line begins with. Other lines are comments."""
    try:
        return [note.read_key(line.split()[0])]
    except (note.BadNote, IndexError):
        return []


def read_receipt(text: str) -> Receipt:
    """Reads a receipt: HASH@SEQ, or a signed head, in the argument or in a file."""
    for candidate in (text, file_text(text) or ""):
        match = HASH_AT_SEQ.fullmatch(candidate.strip())
        if match:
            return match[1], int(match[2])
        head = note.read_head(candidate)
        if head:
            return head
    raise BadArgument(f"{text} is neither HASH@SEQ nor a file with a signed head")


def file_text(path: str) -> str | None:
    """Returns the text of a file, or None if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def check(log: LogFile, receipt: Receipt, keys: Sequence[PublicKey]) -> None:
    """Checks that the log has the event of a receipt."""
    if isinstance(receipt, SignedHead):
        known = [key for key in keys if key.name == receipt.service and receipt.is_signed_by(key)]
        require(bool(known), "the receipt is not signed by one of the service's keys")
        require(receipt.match_id == str(log.match_id), OTHER_EVENT)
        hash_text, seq = receipt.hash, receipt.seq
    else:
        hash_text, seq = receipt
    beyond = f"the receipt is for event {seq}, which the log does not have"
    require(1 <= seq <= len(log.events), beyond)
    found = log.events[seq - 1].hash
    fits = hash_text.lower() == found.hex() or hash_text == base64.b64encode(found).decode()
    require(fits, OTHER_EVENT)


def require(holds: bool, reason: str) -> None:
    """Refuses the file unless a receipt fits."""
    if not holds:
        raise Refused(None, "receipts", reason)
