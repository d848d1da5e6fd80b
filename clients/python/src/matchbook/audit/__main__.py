"""`python -m matchbook.audit FILE...`"""

import argparse
import io
import json
import signal
import sys
from collections.abc import Sequence

from . import log_file, receipts, verification
from .log_file import LogFile
from .note import PublicKey
from .receipts import Receipt
from .report import EXIT_CODES, printable

AFTER_HELP = """\
exit codes, the worst of all files (in the order 1, 5, 4, 6, 7):
  1  refused: a check failed; the first failure is named
  4  a file cannot be read
  5  unreadable: not a log file, or not in canonical form
  6  key_unknown: no check failed, but no trusted key signed the log
  7  incomplete: no check failed, but those that need the rules were not made
"""


def command() -> int:
    """Runs the program as a process of its own."""
    # It ends without a word, as other commands do, once nobody reads the reports: `| head`.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return main()


def main() -> int:
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
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    results = {audit(path, keys, evidence, arguments.json) for path in arguments.files}
    return next(code for result, code in EXIT_CODES.items() if result in results)


def audit(path: str, keys: Sequence[PublicKey], evidence: Sequence[Receipt], as_json: bool) -> str:
    """Prints the report on a file, and returns what decides the exit code."""
    try:
        report = verification.verify(read_file(path), keys, evidence)
    except (OSError, log_file.Unreadable) as error:
        verdict = "not_read" if isinstance(error, OSError) else "unreadable"
        show_without_report(path, verdict, error, as_json)
        return verdict
    print(json.dumps(report.as_json(path)) if as_json else report.as_text(path))
    return report.verdict


def read_file(path: str) -> LogFile:
    """Parses a file, or standard input for `-`."""
    if path == "-":
        return log_file.read_from(sys.stdin.buffer)
    with open(path, "rb") as file:
        return log_file.read_from(file)


def show_without_report(path: str, verdict: str, error: Exception, as_json: bool) -> None:
    """Prints why a file was not verified."""
    if as_json:
        print(json.dumps({"file": path, "verdict": verdict, "problem": str(error)}))
    else:
        print(f"{printable(path)}: {verdict}\n  {printable(str(error))}")


if __name__ == "__main__":
    sys.exit(command())
