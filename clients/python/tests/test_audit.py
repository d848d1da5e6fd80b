"""The verifier as a library. The commands of docs/audit.md are run by the tests of `matchbook`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import matchbook
from matchbook import Matchbook, audit

ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
import matchbook.audit
print(matchbook.audit.verify(sys.argv[2], keys=sys.argv[3]).verdict)
print(*sorted({name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"__main__"}))
"""


@pytest.fixture
def exported(client: Matchbook, tmp_path: Path) -> Path:
    """The log of a match that is over."""
    match = client.create_match("ludus-magus")
    light, dark = match.claim(0, "Ann"), match.claim(1, "Ben")
    light.play("a1-a2")
    dark.resign()
    match.export(tmp_path / "match.jsonl")
    return tmp_path / "match.jsonl"


def test_it_needs_the_standard_library_alone(client: Matchbook, exported: Path) -> None:
    (key,) = [key.public_key for key in client.keys()]
    folder = Path(matchbook.__path__[0]).parent
    # -S leaves out installed packages.
    printed = subprocess.check_output(
        [sys.executable, "-I", "-S", "-c", ALONE, str(folder), str(exported), key], text=True
    )
    assert printed.splitlines() == ["incomplete", "matchbook"]


def test_the_command_ends_quietly_if_nobody_reads_on(exported: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "matchbook.audit", str(exported)]
    ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (-signal.SIGPIPE, b"")


def test_keys_are_texts_or_files(client: Matchbook, exported: Path, tmp_path: Path) -> None:
    known = [key.public_key for key in client.keys()]
    file = tmp_path / "keys.txt"
    file.write_text("".join(f"{key}\n" for key in known))
    for keys in (known, known[0], str(file), [str(file)]):
        assert audit.verify(exported, keys=keys).verdict == "incomplete"
    assert audit.verify(exported).verdict == "key_unknown"
    with pytest.raises(audit.BadArgument, match="neither a key"):
        audit.verify(exported, keys="no-key")


def test_receipts_are_compared_with_the_log(client: Matchbook, exported: Path) -> None:
    match_id = audit.verify(exported).match_id
    receipts = [event.receipt for event in client.match(match_id).events()]
    assert audit.verify(exported, receipts=receipts).checks["receipts"] == {"outcome": "ok", "count": 6}
    other, seq = receipts[0].split("@")[0], receipts[1].split("@")[1]
    failure = audit.verify(exported, receipts=f"{other}@{seq}").failure
    assert failure is not None and failure["check"] == "receipts"
    with pytest.raises(audit.BadArgument, match="neither HASH@SEQ"):
        audit.verify(exported, receipts="no-receipt")


def test_a_changed_log_is_refused(exported: Path) -> None:
    lines = exported.read_text().splitlines(keepends=True)
    exported.write_text("".join(lines[:2] + lines[3:]))
    report = audit.verify(exported)
    assert report.verdict == "refused"
    assert report.failure is not None and (report.failure["seq"], report.failure["check"]) == (2, "structure")


def test_the_command_tells_a_missing_file_from_one_that_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("{}\n")
    for name, code, verdict in (("missing.jsonl", 4, "not_read"), ("none.jsonl", 5, "unreadable")):
        command = [sys.executable, "-m", "matchbook.audit", str(tmp_path / name), "--json"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ran.returncode, json.loads(ran.stdout)["verdict"]) == (code, verdict)


def test_what_is_no_log_file_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        audit.verify(tmp_path / "match.jsonl")
    (tmp_path / "match.jsonl").write_text("{}\n")
    with pytest.raises(audit.Unreadable, match="canonical form"):
        audit.verify(tmp_path / "match.jsonl")
