"""The report on a file: the outcome of each check, and the first thing that is wrong."""

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from .refusal import Refused

# All checks, in the order in which reports list them.
CHECKS = (
    "structure",
    "chain",
    "times",
    "commitments",
    "seed",
    "moves",
    "digests",
    "clocks",
    "result",
    "signature",
    "receipts",
)

# In order of severity: the worst of all files decides the exit code.
EXIT_CODES = {"refused": 1, "unreadable": 5, "not_read": 4, "key_unknown": 6, "incomplete": 7}

# Why this program makes a check only in part, or not at all.
NO_RULES = "this program does not have the rules of the games"

# What to do about a key that is not trusted.
COMPARE_KEY = "compare this key with the service's own (GET /v1/keys) and pass it with --key"


@dataclass
class Report:
    """A report on a file that can be read."""

    match_id: str
    game: str
    rules_version: int
    events: int
    # A simultaneous turn counts as one move of each seat.
    moves: int
    head: str | None = None
    # The outcome of each check, as `--json` shows it.
    checks: dict[str, dict[str, Any]] = field(default_factory=dict)
    remarks: list[dict[str, Any]] = field(default_factory=list)
    failure: dict[str, Any] | None = None
    signed_by: str | None = None
    key_is_known: bool = False
    seed: str | None = None
    hands: list[list[str]] | None = None

    def ok(self, check: str, count: int) -> None:
        """Records that this many items were checked and all are correct."""
        self.checks[check] = {"outcome": "ok", "count": count}

    def not_needed(self, check: str, why: str) -> None:
        """Records that the log has nothing to check."""
        self.checks[check] = {"outcome": "not_needed", "why": why}

    def not_checkable(self, check: str, why: str) -> None:
        """Records that a check is not possible."""
        self.checks[check] = {"outcome": "not_checkable", "why": why}

    def fail(self, refused: Refused) -> None:
        """Records the first thing that is wrong. What it concerns was not checked any further."""
        seq, check = refused.seq, refused.check
        self.failure = {"seq": seq, "check": check, "problem": refused.reason}
        after = None if seq is None else seq - 1
        self.remarks = []
        for other in CHECKS:
            self.checks.setdefault(other, {"outcome": "not_reached", "afterSeq": after})
        self.checks[check] = {"outcome": "failed"}

    @property
    def verdict(self) -> str:
        """The overall result. It is never `verified`, because the moves are not checked."""
        if self.failure:
            return "refused"
        return "incomplete" if self.key_is_known else "key_unknown"

    def as_json(self, path: str) -> dict[str, Any]:
        """Returns the report as one object, with the names that `matchbook verify --json` has."""
        return {
            "file": path,
            "verdict": self.verdict,
            "matchId": self.match_id,
            "game": self.game,
            "rulesVersion": self.rules_version,
            "events": self.events,
            "moves": self.moves,
            "headHash": self.head,
            "signedBy": self.signed_by,
            "checks": {check: self.checks[check] for check in CHECKS},
            "remarks": self.remarks,
            "failure": self.failure,
            "seed": self.seed,
            "hands": self.hands,
        }

    def as_text(self, path: str) -> str:
        """Returns the report in lines."""
        lines = [f"{printable(path)}: {self.verdict}"]
        counts = f"{counted(self.events, 'event')}, {counted(self.moves, 'move')}"
        lines.append(f"  {printable(self.game)}, match {self.match_id}: {counts}")
        lines.append(f"  rules version {self.rules_version}: {NO_RULES}")
        if self.failure:
            seq = self.failure["seq"]
            place = "" if seq is None else f"event {seq}: "
            lines.append(f"  failed ({self.failure['check']}): {place}{self.failure['problem']}")
            if seq is not None:
                lines.append("  not checked" if seq == 1 else f"  not checked after event {seq - 1}")
        passed = [check for check in CHECKS if self.checks[check]["outcome"] == "ok"]
        if passed:
            lines.append(f"  ok: {', '.join(passed)}")
        for check in CHECKS:
            if self.checks[check]["outcome"] == "not_checkable":
                lines.append(f"  not checked: {check}: {self.checks[check]['why']}")
        lines += [f"  {describe(remark)}" for remark in self.remarks]
        if self.signed_by:
            lines.append(f"  signed by {self.signed_by}")
        if self.verdict == "key_unknown":
            lines.append(f"  next: {COMPARE_KEY}")
        return "\n".join(lines)


def counted(number: int, noun: str) -> str:
    """Returns a number with its noun, as in `1 move` and `2 moves`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def describe(remark: dict[str, Any]) -> str:
    """Returns a remark as a sentence."""
    if remark["remark"] == "player_withheld":
        return f"the player of event {remark['seq']} was erased or is withheld"
    return f"the choice in event {remark['seq']} is sealed"


def printable(text: str) -> str:
    """Returns text for a terminal: characters that are invisible or control it are replaced."""
    return "".join("\ufffd" if is_unsafe(char) else char for char in text)


def is_unsafe(char: str) -> bool:
    """Returns whether a character has no visible form, except the plain space."""
    return char != " " and unicodedata.category(char)[0] in "CZ"
