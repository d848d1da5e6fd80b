"""Drawings of positions, which the service makes."""

import ssl
import urllib.error
import urllib.request
from pathlib import Path

from .. import InsecureConnection, Unreachable


def draw(server: str, match_id: str, form: str, ca_file: str | Path | None, timeout: float = 15.0) -> str:
    """Returns the newest position as a spectator sees it, as text (`txt`) or as a picture (`svg`)."""
    url = f"{server}/v1/matches/{match_id}/board.{form}"
    trusted = ssl.create_default_context(cafile=ca_file) if url.startswith("https:") else None
    try:
        with urllib.request.urlopen(url, timeout=timeout, context=trusted) as answer:
            content: bytes = answer.read()
    except urllib.error.URLError as error:
        kind = InsecureConnection if isinstance(error.reason, ssl.SSLError) else Unreachable
        raise kind(server, f"cannot draw the match: {error.reason}") from None
    return content.decode()
