"""The example that measures bots: that it measures, not how much."""

import importlib
import re
from pathlib import Path

import pytest
from service import Service

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_bots_play_with_both_clients(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    arguments = ["bots.py", "--server", service.address, "--matches", "3", "--seconds", "0.3"]
    monkeypatch.setattr("sys.argv", arguments)
    importlib.import_module("bots").main()
    figures = re.findall(r"^(.+): (\d+) moves/s$", capsys.readouterr().out, re.MULTILINE)
    assert [name for name, _ in figures] == ["threads, 1 match", "asyncio, 1 match", "asyncio, 3 matches"]
    assert all(int(moves) > 0 for _, moves in figures)
