"""`python -m matchbook_audit FILE...`"""

import argparse
import dataclasses
import json
import sys

from . import log_file, note, verify

# In order of severity: the worst of all files decides the exit code.
CODES = {"refused": 1, "unreadable": 5, "unopened": 4, "key_unknown": 6, "incomplete": 7, "verified": 0}


def main():
    """Parses the arguments, prints a report per file and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="matchbook_audit", description="Verify Matchbook log files, except for the rules of the games"
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="NAME+ID+KEY",
        help="public key known to be the service's",
    )
    parser.add_argument(
        "--receipt",
        action="append",
        default=[],
        metavar="HASH@SEQ",
        help="hash and number of an event, from the response to a move",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    arguments = parser.parse_args()
    try:
        keys = [note.read_key(text) for text in arguments.key]
    except note.BadNote as error:
        parser.error(f"--key: {error}")
    verdicts = set()
    for path in arguments.files:
        report = audit(path, keys, arguments.receipt)
        verdicts.add(report.verdict)
        print_report(path, report, arguments.json)
    return next(code for verdict, code in CODES.items() if verdict in verdicts)


def audit(path, keys, receipts):
    """Returns the report on a file; never raises for its contents."""
    try:
        with open(path, "rb") as file:
            data = file.read(log_file.MAX_BYTES + 1)
        return verify.verify(log_file.read(data), keys, receipts)
    except OSError as error:
        return verify.Report(verdict="unopened", reason=str(error))
    except log_file.Unreadable as error:
        return verify.Report(verdict="unreadable", reason=str(error))


def print_report(path, report, as_json):
    """Prints a report."""
    if as_json:
        print(json.dumps({"file": path, **dataclasses.asdict(report)}))
        return
    where = f" at event {report.seq}" if report.seq else ""
    why = f": {report.reason}{where}" if report.reason else ""
    print(f"{path}: {report.verdict}{why}")
    if report.game:
        print(f"  {report.game}, rules version {report.rules_version}: rules not replayed here")
    for remark in report.remarks:
        print(f"  {remark}")


if __name__ == "__main__":
    sys.exit(main())
