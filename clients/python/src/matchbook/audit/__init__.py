"""Verifies Matchbook log files, except for the rules of the games.

Written from docs/audit.md alone, in plain Python 3.11. `verify` returns a `Report` on a file; `python -m
matchbook.audit` and `matchbook-audit` print it.
"""

import os
from collections.abc import Iterable

from . import log_file, verification
from .log_file import Unreadable as Unreadable
from .receipts import BadArgument as BadArgument, read_keys, read_receipt
from .report import CHECKS as CHECKS, Report as Report

Texts = str | Iterable[str]
"""One text, or several."""


def verify(path: str | os.PathLike[str], *, keys: Texts = (), receipts: Texts = ()) -> Report:
    """Verifies a log file in either form, and returns the report on it.

    `keys` are the keys known to be the service's: each NAME+ID+KEY, or a file with one per line. Without them
    the best verdict is `key_unknown`, with them `incomplete`, because the rules of the game are not checked
    here; a file that is wrong has the verdict `refused` and a `failure`. `receipts` are what a player kept:
    each HASH@SEQ (`event.receipt`), or a file with a signed head.

    A file that cannot be opened raises `OSError`, a file that is not a log file `Unreadable`, and a malformed
    key or receipt `BadArgument`.

    >>> from matchbook import audit
    >>> match = client.create_match("angels-and-demons")
    >>> match.export("match.jsonl")
    >>> report = audit.verify("match.jsonl", keys=[key.public_key for key in client.keys()])
    >>> report.verdict, report.checks["chain"], report.failure
    ('incomplete', {'outcome': 'ok', 'count': 1}, None)
    >>> audit.verify("match.jsonl", receipts="0" * 64 + "@1").failure["check"]
    'receipts'
    """
    trusted = [key for text in _texts(keys) for key in read_keys(text)]
    evidence = [read_receipt(text) for text in _texts(receipts)]
    with open(path, "rb") as file:
        return verification.verify(log_file.read_from(file), trusted, evidence)


def _texts(given: Texts) -> Iterable[str]:
    return [given] if isinstance(given, str) else given
