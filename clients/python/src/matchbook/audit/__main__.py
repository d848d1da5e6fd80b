"""`python -m matchbook.audit FILE...`"""

import argparse
import json
import sys

from . import log_file, receipts, verify
from .report import EXIT_CODES, printable

AFTER_HELP = """\
exit codes, the worst of all files (in the order 1, 5, 4, 6, 7):
  1  refused: a check failed; the first failure is named
  4  a file cannot be read
  5  unreadable: not a log file, or not in canonical form
  6  key_unknown: no check failed, but no trusted key signed the log
  7  incomplete: no check failed, but those that need the rules were not made
"""


def main():
    """Parses the arguments, prints a report per file and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="matchbook-audit",
        description="Verify Matchbook log files, except for the rules of the games",
        epilog=AFTER_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    files = "log file in either form; - is standard input"
    parser.add_argument("files", nargs="+", metavar="FILE", help=files)
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="KEY",
        help="trusted key of the service, NAME+ID+KEY, or a file with one per line; repeatable",
    )
    parser.add_argument(
        "--receipt",
        action="append",
        default=[],
        metavar="RECEIPT",
        help="receipt, HASH@SEQ, or a file with a signed head; repeatable",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per file")
    arguments = parser.parse_args()
    try:
        keys = [key for text in arguments.key for key in receipts.read_keys(text)]
        evidence = [receipts.read_receipt(text) for text in arguments.receipt]
    except receipts.BadArgument as error:
        parser.error(str(error))
    # A name that the terminal can't show is no reason to stop.
    sys.stdout.reconfigure(errors="replace")
    results = {audit(path, keys, evidence, arguments.json) for path in arguments.files}
    return next(code for result, code in EXIT_CODES.items() if result in results)


def audit(path, keys, evidence, as_json):
    """Prints the report on a file, and returns what decides the exit code."""
    try:
        report = verify.verify(log_file.read(read_bytes(path)), keys, evidence)
    except (OSError, log_file.Unreadable) as error:
        show_unreadable(path, error, as_json)
        return "unopened" if isinstance(error, OSError) else "unreadable"
    print(json.dumps(report.as_json(path)) if as_json else report.as_text(path))
    return report.verdict


def read_bytes(path):
    """Returns the bytes of a file, or of standard input for `-`, up to one more than allowed."""
    if path == "-":
        return sys.stdin.buffer.read(log_file.MAX_BYTES + 1)
    with open(path, "rb") as file:
        return file.read(log_file.MAX_BYTES + 1)


def show_unreadable(path, error, as_json):
    """Prints the report on a file that can't be read."""
    if as_json:
        print(json.dumps({"file": path, "verdict": "unreadable", "problem": str(error)}))
    else:
        print(f"{printable(path)}: unreadable\n  {printable(str(error))}")


if __name__ == "__main__":
    sys.exit(main())
