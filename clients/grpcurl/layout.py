"""Prints JSON messages so that people can read them: what fits goes on one line.

Reads grpcurl's answer, one message after the other, and writes the same JSON. Only
white space differs.
"""

import json
import sys

WIDTH = 110


def messages(text):
    """The JSON values in a text that has one after the other."""
    decoder = json.JSONDecoder()
    rest = text.lstrip()
    while rest:
        value, end = decoder.raw_decode(rest)
        yield value
        rest = rest[end:].lstrip()


def laid_out(value, indent=""):
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {laid_out(part, inner)}" for key, part in value.items()]
        opening, closing = "{", "}"
    else:
        parts = [laid_out(part, inner) for part in value]
        opening, closing = "[", "]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closing}"


if __name__ == "__main__":
    for message in messages(sys.stdin.read()):
        print(laid_out(message))
