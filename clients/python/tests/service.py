"""A process of the service, which tests start, stop and start again."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import threading
from pathlib import Path
from typing import Self

PROGRAM = os.environ.get("MATCHBOOK_TEST_SERVICE", "")


def free_port(ports: range) -> int:
    """Returns a port on which nothing listens."""
    while True:
        with socket.socket() as tried, contextlib.suppress(OSError):
            port = random.choice(ports)
            tried.bind(("127.0.0.1", port))
            return port


class Service:
    """A running service in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        database: str = "memory:",
        roles: tuple[str, ...] = (),
        named_keys: tuple[tuple[str, str], ...] = (),
        options: tuple[str, ...] = (),
    ) -> None:
        if not PROGRAM:
            raise RuntimeError("set MATCHBOOK_TEST_SERVICE to the path of matchbookd")
        self._arguments = ["--database", database, "--key-file", str(folder / "matchbook.key"), *options]
        self._log = folder / "matchbookd.log"
        self.keys: dict[str, str] = {}
        for name, role in (*named_keys, *((role, role) for role in roles)):
            made = subprocess.check_output(
                [PROGRAM, "key", "new", "--name", name, "--role", role, "--json"], text=True
            )
            key = json.loads(made)
            self.keys[name] = key["key"]
            self._arguments += ["--api-key", key["config"]]
        # Below the ports of outgoing connections, so that none of those takes it during a restart.
        self.address = f"127.0.0.1:{free_port(range(20_000, 32_000))}"
        self.start()

    def start(self) -> None:
        """Starts the process, on the same address as before."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MATCHBOOK_", "OTEL_"))
        }
        self._process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", self.address, *self._arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log.open("ab"),
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words[:1] == ["gRPC"]:
                self.address = words[1].removeprefix("https://").removeprefix("http://")
                break
        else:
            raise RuntimeError(f"the service ended during startup:\n{self._log.read_text()}")
        # The pipe must not fill.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        """Ends the process at once, as a crash does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def restart(self) -> None:
        """Kills the process and starts it again."""
        self.kill()
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
