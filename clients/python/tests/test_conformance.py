"""The script that all clients have in common, `clients/conformance/script.json`, through both clients."""

import asyncio
import contextlib
import json
import re
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from by_methods import METHODS, Caller, as_json, done, has_method
from google.protobuf import json_format
from protos import rpcs
from proxy import Proxy
from service import Service
from silent import Silent

from matchbook import AsyncMatchbook, Matchbook, Refused, RetryPolicy, v1

SCRIPT = json.loads(
    (Path(__file__).parents[2] / "conformance/script.json").read_text(encoding="utf-8")
)

CLIENT = "python"

QUICK = RetryPolicy(attempts=3, initial_delay=0.01, max_delay=0.05)
"""What is refused is refused at each attempt, and an answer is lost once."""

PATIENCE = 20.0
"""For how many seconds a step with `until` is repeated."""


@pytest.fixture
def script_services(tmp_path: Path) -> Iterator[dict[str, Service]]:
    """The services of the script, each with its keys."""
    keys = (("app", "app"), ("stranger", "app"), ("audit", "audit"))
    with contextlib.ExitStack() as started:
        services = {}
        for name, options in SCRIPT["services"].items():
            folder = tmp_path / name
            folder.mkdir()
            services[name] = started.enter_context(Service(folder, named_keys=keys, options=tuple(options)))
        yield services


class Session:
    """What earlier steps saved."""

    def __init__(self) -> None:
        self._silent = Silent()
        self._saved: dict[str, Any] = {"large": "a" * 100_000, "silent": self._silent.url}

    def filled(self, value: Any) -> Any:
        """Replaces each text `$name` by what was saved under the name."""
        if isinstance(value, str):
            return self._saved[value[1:]] if value.startswith("$") else value
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if isinstance(value, dict):
            return {name: self.filled(item) for name, item in value.items()}
        return value

    def caller(self, connect: Any, services: dict[str, Service], step: dict[str, Any]) -> Caller:
        """Returns a client of the step's service with the step's key, and its seat's token."""
        service, name = services[step.get("service", "main")], step["as"]
        keys = {**service.keys, "unknown key": f"mbk_{'A' * 43}"}
        address = service.address
        if step.get("lost"):
            proxy = Proxy(address)
            proxy.lose_the_next_answer()
            address = proxy.address
        client = connect(address, api_key=keys.get(step.get("key", name)), retry=QUICK)
        if name in keys or name == "nobody":
            return client, None
        return client, "mbs_nonsense" if name == "malformed token" else self.filled(name)

    def call_beside(
        self, services: dict[str, Service], step: dict[str, Any]
    ) -> contextlib.AbstractContextManager[Any]:
        """Opens the watch that somebody else has during a step, or begins the ping."""
        if "pinged" in step:
            service = services[step["service"]]
            return self._silent.pinged(service.address, service.keys["app"], self.filled(step["pinged"]))
        if "beside" not in step:
            return contextlib.nullcontext()
        path = f"/v1/matches/{self.filled(step['beside'])}/watch"
        stream: contextlib.AbstractContextManager[Any] = urllib.request.urlopen(
            f"http://{services[step['service']].address}{path}"
        )
        return stream

    def save(self, step: dict[str, Any], response: Any) -> None:
        """Remembers what later steps refer to, which the response must have."""
        for name, path in step.get("save", {}).items():
            self._saved[name] = at(response, path)
            assert self._saved[name] is not None, f"{step['name']}: nothing to save as {name}: {response}"

    def response_difference(self, step: dict[str, Any], response: Any) -> str | None:
        """Returns how a response differs from the script's."""
        if "refused" in step:
            return f"not {step['refused']['reason']}: {response}"
        for path, value in {**step.get("expect", {}), **step.get("until", {})}.items():
            expected, actual = self.filled(value), at(response, path)
            if actual != expected and not (actual is None and not expected):
                return f"{path} is {actual}, not {expected}: {response}"
        present = [path for path in step.get("absent", ()) if at(response, path) is not None]
        return f"has {present}: {response}" if present else None

    def refusal_difference(self, step: dict[str, Any], refusal: Refused) -> str | None:
        """Returns how a refusal differs from the script's."""
        if "refused" not in step:
            return f"refused: {refusal!r}"
        expected = step["refused"]
        metadata = {**expected.get("metadata", {})}
        if "paragraph" in expected:
            metadata["paragraph"] = expected["paragraph"]
            if refusal.paragraph != expected["paragraph"]:
                return f"the paragraph is {refusal.paragraph}"
        seen = (refusal.reason, [violation.path for violation in refusal.fields])
        if seen != (expected["reason"], expected.get("fields", [])):
            return f"{seen}, not {expected}"
        if type(refusal) is not Refused.reasons[expected["reason"]]:
            return f"{type(refusal)} is not the class of its reason"
        if any(refusal.metadata.get(name) != self.filled(value) for name, value in metadata.items()):
            return f"{refusal.metadata}, not {metadata}"
        if "retry" in expected and expected["retry"] != (refusal.retry_after is not None):
            return f"retry after {refusal.retry_after}"
        return None if str(refusal) else "no sentence"


def at(value: Any, path: str) -> Any:
    """Returns the value at a path such as `view.toAct.0`, or None."""
    for part in path.split("."):
        if isinstance(value, list):
            index = int(part) if part.isdigit() else -1
            value = len(value) if part == "length" else value[index] if 0 <= index < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


async def call(caller: Caller, step: dict[str, Any], request: Any, made: set[str] | None) -> Any:
    """Makes a call through either client; returns its response, or all messages of a stream.

    If `made` is a set of RPCs, a method makes the call where one does, and the RPC joins the set.
    """
    rpc = next(rpc for rpc in rpcs() if rpc.name == step["call"])
    message = json_format.ParseDict(request, getattr(v1, rpc.input_type.name)())
    client, token = caller
    if made is not None and has_method(step, token):
        made.add(rpc.name)
        return await METHODS[rpc.name](caller, message)
    calls = client.calls if token is None else client.seat(str(uuid.uuid4()), token).calls
    return as_json(await done(getattr(calls, re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower())(message)))


async def run_step(
    session: Session, caller: Caller, step: dict[str, Any], made: set[str] | None
) -> str | None:
    """Makes a step's call and returns how its outcome differs from the script's."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            response = await call(caller, step, session.filled(step["request"]), made)
        except Refused as refusal:
            return session.refusal_difference(step, refusal)
        difference = session.response_difference(step, response)
        if difference is None:
            session.save(step, response)
        if difference is None or "until" not in step or time.monotonic() > deadline:
            return difference
        time.sleep(0.05)


async def run(services: dict[str, Service], connect: Any, made: set[str] | None = None) -> list[str]:
    """Runs the script and returns all differences; `made` as in `call`."""
    session = Session()
    differences = []
    for step in SCRIPT["steps"]:
        assert CLIENT not in step.get("cannot", ()), f"{step['name']}: Python can make every call"
        for _ in range(step.get("times", 1)):
            caller = session.caller(connect, services, step)
            with session.call_beside(services, step):
                difference = await run_step(session, caller, step, made)
            if difference is not None:
                differences.append(f"{step['name']}: {difference}")
    return differences


@pytest.mark.once
@pytest.mark.parametrize("connect", [Matchbook, AsyncMatchbook])
def test_outcomes_are_those_of_the_script(script_services: dict[str, Service], connect: Any) -> None:
    assert asyncio.run(run(script_services, connect)) == []


@pytest.mark.parametrize("connect", [Matchbook, AsyncMatchbook])
def test_methods_have_the_outcomes_of_the_script(script_services: dict[str, Service], connect: Any) -> None:
    made: set[str] = set()
    assert asyncio.run(run(script_services, connect, made)) == []
    assert made == set(METHODS), "each method has a step of the script"
