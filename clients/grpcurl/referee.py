"""Replays the match of walk.sh by an independent implementation of the rules, and compares.

Argument: a folder with the responses of the service (moves.json, view.json, events.json,
watch.json). Exits with 1 and names the first difference.
"""

import json
import sys
from pathlib import Path

from layout import messages

ROWS, COLS, LAST_EVENT = 4, 4, 14


def require(what, expected, found):
    if expected != found:
        sys.exit(f"referee.py: {what}: expected {expected}, found {found}")


def around(row, col):
    """Returns the orthogonal neighbours on the board (AD-6)."""
    near = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return {(r, c) for r, c in near if 1 <= r <= ROWS and 1 <= c <= COLS}


def play(turns):
    """Returns the numbers of spaces that Angels and Demons cover at the end."""
    angels, demons = set(), set()
    for angels_choice, demons_choice in turns:
        reached_a, reached_d = around(*angels_choice), around(*demons_choice)
        angels = (angels | reached_a) - reached_d
        demons = (demons | reached_d) - reached_a
    return len(angels), len(demons)


def result_of(angels, demons):
    """Returns the result for the final counts (AD-8)."""
    if angels == demons:
        ranks, outcome, reason = (1, 1), "OUTCOME_DRAW", "equal-count"
    else:
        ranks, outcome, reason = (1, 2) if angels > demons else (2, 1), "OUTCOME_WIN", "count"
    standings = [{"seat": seat, "rank": rank} for seat, rank in enumerate(ranks)]
    return {"outcome": outcome, "standings": standings, "reason": reason}


def main(folder):
    def read(name):
        return list(messages((folder / name).read_text()))

    moves = [move["angelsAndDemons"] for move in read("moves.json")]
    spaces = [(move["row"], move["col"]) for move in moves]
    counts = play(list(zip(spaces[0::2], spaces[1::2])))
    result = result_of(*counts)

    view = read("view.json")[0]["view"]
    board = view["gameView"]["angelsAndDemons"]
    require("the status", "MATCH_STATUS_OVER", view["status"])
    require("the counts", counts, (board.get("angels", 0), board.get("demons", 0)))
    require("the result", result, view["result"])

    frames = read("watch.json")
    require("the first frame is a start", True, "start" in frames[0])
    seen = [frame["event"] for frame in frames if "event" in frame]
    require("the watcher's events", list(range(2, LAST_EVENT + 1)), [event["seq"] for event in seen])
    logged = [event for page in read("events.json") for event in page["events"]]
    require("the log", list(range(1, LAST_EVENT + 1)), [event["seq"] for event in logged])
    require("events of the watch and of the log", logged[1:], seen)
    require("the last event's result", result, seen[-1]["matchEnded"]["result"])

    print(f"Angels {counts[0]}, Demons {counts[1]}: {result}, as the service reports.")
    print(f"The watcher received events 2 to {LAST_EVENT}, each once and in order, as in the log.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
