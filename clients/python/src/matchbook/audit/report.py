"""The report on a file: the outcome of each check, and the first thing that is wrong."""

import unicodedata
from dataclasses import dataclass, field

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
EXIT_CODES = {"refused": 1, "unreadable": 5, "unopened": 4, "key_unknown": 6, "incomplete": 7}

# Why this program makes a check only in part, or not at all.
NO_RULES = "this program does not have the rules of the games"


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
    checks: dict = field(default_factory=dict)
    remarks: list = field(default_factory=list)
    failure: dict | None = None
    signed_by: str | None = None
    key_is_known: bool = False
    seed: str | None = None
    hands: list | None = None

    def ok(self, check, count):
        """Records that this many items were checked and all are correct."""
        self.checks[check] = {"outcome": "ok", "count": count}

    def not_needed(self, check, why):
        """Records that the log has nothing to check."""
        self.checks[check] = {"outcome": "not_needed", "why": why}

    def not_checkable(self, check, why):
        """Records that a check is not possible."""
        self.checks[check] = {"outcome": "not_checkable", "why": why}

    def fail(self, refused):
        """Records the first thing that is wrong. What it concerns was not checked any further."""
        seq, check = refused.seq, refused.check
        self.failure = {"seq": seq, "check": check, "problem": refused.reason}
        after = None if seq is None else seq - 1
        self.remarks = []
        for other in CHECKS:
            self.checks.setdefault(other, {"outcome": "not_reached", "afterSeq": after})
        self.checks[check] = {"outcome": "failed"}

    @property
    def verdict(self):
        """The overall result. It is never `verified`, because the moves are not checked."""
        if self.failure:
            return "refused"
        return "incomplete" if self.key_is_known else "key_unknown"

    def as_json(self, path):
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

    def as_text(self, path):
        """Returns the report in lines."""
        lines = [f"{printable(path)}: {self.verdict}"]
        counts = f"{self.events} events, {self.moves} moves"
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
        return "\n".join(lines)


def describe(remark):
    """Returns a remark as a sentence."""
    if remark["remark"] == "player_withheld":
        return f"the player of event {remark['seq']} was erased or is withheld"
    return f"the choice in event {remark['seq']} is sealed"


def printable(text):
    """Returns text for a terminal: characters that are invisible or control it are replaced."""
    return "".join("\ufffd" if is_unsafe(char) else char for char in text)


def is_unsafe(char):
    """Returns whether a character has no visible form, except the plain space."""
    return char != " " and unicodedata.category(char)[0] in "CZ"
