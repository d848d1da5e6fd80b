"""The examples in docstrings and in the README, run against a real service."""

import ast
import asyncio
import doctest
import importlib
import inspect
import io
import pkgutil
import re
import types
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from deliveries import signed
from service import Service

import matchbook
from matchbook import audit

README = Path(__file__).parents[1] / "README.md"
CLIENTS_PAGE = Path(__file__).parents[3] / "docs/clients.md"


def own_modules() -> Iterator[types.ModuleType]:
    for info in pkgutil.walk_packages(matchbook.__path__, "matchbook."):
        if not info.name.startswith(("matchbook.v1", "matchbook.games", "matchbook.log")):
            yield importlib.import_module(info.name)


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for module in own_modules() for test in finder.find(module, module.__name__)]
    return [test for test in found if test.examples]


def public_names() -> dict[str, Any]:
    return {name: getattr(matchbook, name) for name in dir(matchbook)}


def test_every_public_name_is_imported_with_a_star() -> None:
    names: dict[str, Any] = {}
    exec("from matchbook import *", names)
    assert {name: value for name, value in names.items() if name != "__builtins__"} == {
        name: value for name, value in public_names().items() if name != "audit"
    }
    assert {"Match", "AsyncMatch", "IllegalMove", "v1"} <= set(names)
    with pytest.raises(AttributeError):
        getattr(matchbook, "NoSuchName")


async def run(test: doctest.DocTest, names: dict[str, Any]) -> None:
    """Runs an example as doctest does, and with `await` outside of functions."""
    for example in test.examples:
        code = compile(example.source, test.name, "single", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        printed = io.StringIO()
        with redirect_stdout(printed):
            result = types.FunctionType(code, names)()
            if inspect.isawaitable(result):
                await result
        assert printed.getvalue() == example.want, f"{test.name}: {example.source}"


@pytest.mark.parametrize("test", [pytest.param(test, id=test.name) for test in examples()])
def test_an_example_in_a_docstring_is_as_printed(
    test: doctest.DocTest, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def with_async_client() -> None:
        async with matchbook.AsyncMatchbook(service.address) as client:
            await run(test, {**test.globs, **public_names(), "client": client, "server": service.address})

    async def with_client() -> None:
        with matchbook.Matchbook(service.address) as client:
            await run(test, {**test.globs, **public_names(), "client": client, "server": service.address})

    is_async = "_aio" in test.name
    asyncio.run(with_async_client() if is_async else with_client())


def test_examples_are_found_in_both_clients() -> None:
    names = [test.name for test in examples()]
    for name in ("_aio.client.AsyncMatchbook", "_sync.client.Matchbook", "_sync.seat.Seat.play"):
        assert f"matchbook.{name}" in names


def test_the_examples_of_the_verifier_are_found() -> None:
    assert "matchbook.audit.verify" in [test.name for test in examples()]


def methods(*classes: type) -> set[str]:
    return {name for owner in classes for name in dir(owner) if not name.startswith("_")}


def test_the_readme_lists_every_method() -> None:
    sections = {section.partition("\n")[0]: section for section in README.read_text().split("\n## ")}
    heads = re.findall(r"^\| (`.+`) \|", sections["All methods"], re.MULTILINE)
    listed = {name for head in heads for name in re.findall(r"`(\w+)[`(]", head.split(" | ")[0])}
    functions = {"bank", "per_move", "new_request_id", "new_claim_secret", "open_delivery"}
    assert listed == methods(matchbook.Matchbook, matchbook.Match, matchbook.Seat) | functions
    assert functions == {
        name for name, value in public_names().items() if inspect.isfunction(value)
    }


def test_every_program_in_the_readme_runs(service: Service, tmp_path: Path) -> None:
    sections = README.read_text().split("\n## ")
    names: dict[str, Any] = {}
    with Service(tmp_path, roles=("app",)) as with_key:
        for section in sections:
            served = with_key if "mbk_..." in section else service
            for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
                source = block.replace('"127.0.0.1:7420"', repr(served.address))
                source = source.replace('"mbk_..."', repr(with_key.keys["app"]))
                source = source.replace('"match.jsonl"', repr(str(tmp_path / "match.jsonl")))
                exec(compile(source, str(README), "exec"), names)
    assert (tmp_path / "match.jsonl").exists()
    body = b'{"id": "1-9", "type": "match_ended", "data": {"matchId": "1"}}'
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert names["receive"](signed(names["secret"], body), body) == 204
    assert printed.getvalue().startswith("match_ended 1")
    assert names["receive"](signed(names["secret"], body), body + b" ") == 401


def test_the_steps_of_the_clients_page_run(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", CLIENTS_PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 10
    source = "".join(blocks).replace('"127.0.0.1:7420"', repr(service.address))
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(source, str(CLIENTS_PAGE), "exec"), {})
    for wanted in ("ludus-magus", "b1-c2", "ILLEGAL_MOVE", "LM-6", "7 match_ended"):
        assert wanted in printed.getvalue(), printed.getvalue()
    report = audit.verify("match.jsonl")
    assert report.failure is None, report
