"""Reformats JSON messages for people: whatever fits goes on one line.

Reads a stream of messages from standard input. Only white space changes.
"""

import json
import re
import sys

WIDTH = 110
SPACE = re.compile(r"\s*")


def messages(text):
    """Yields the JSON values of a text, one after the other."""
    decoder = json.JSONDecoder()
    at = SPACE.match(text).end()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at = SPACE.match(text, at).end()


def layout(value, indent=""):
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {layout(part, inner)}" for key, part in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [layout(part, inner) for part in value]
        opening, closing = "[", "]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"


if __name__ == "__main__":
    for message in messages(sys.stdin.read()):
        print(layout(message))
