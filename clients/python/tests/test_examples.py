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
from service import Service

import matchbook

README = Path(__file__).parents[1] / "README.md"


def own_modules() -> Iterator[types.ModuleType]:
    for info in pkgutil.walk_packages(matchbook.__path__, "matchbook."):
        if not info.name.startswith(("matchbook.audit", "matchbook.v1", "matchbook.games", "matchbook.log")):
            yield importlib.import_module(info.name)


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for module in own_modules() for test in finder.find(module, module.__name__)]
    return [test for test in found if test.examples]


def public_names() -> dict[str, Any]:
    return {name: getattr(matchbook, name) for name in matchbook.__all__}


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
def test_an_example_in_a_docstring_is_as_printed(test: doctest.DocTest, service: Service) -> None:
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


def test_every_program_in_the_readme_runs(service: Service, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(blocks) >= 4
    names: dict[str, Any] = {}
    for block in blocks:
        source = block.replace('"127.0.0.1:7420"', repr(service.address))
        source = source.replace('"match.jsonl"', repr(str(tmp_path / "match.jsonl")))
        exec(compile(source, str(README), "exec"), names)
    assert (tmp_path / "match.jsonl").exists()
