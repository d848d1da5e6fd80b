"""A receiver of webhooks that never answers."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator


class Silent:
    """A listener that takes connections and says nothing."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        self._connections: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._connections.append(self._listener.accept()[0])

    @contextlib.contextmanager
    def pinged(self, address: str, key: str, webhook_id: str) -> Iterator[None]:
        """Pings a webhook that has this receiver, and goes on once the service waits for the answer."""
        before = len(self._connections)
        host, port = address.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as calling:
            calling.sendall(
                f"POST /v1/webhooks/{webhook_id}:ping HTTP/1.1\r\nhost: {address}\r\n"
                f"authorization: Bearer {key}\r\ncontent-type: application/json\r\n"
                "content-length: 2\r\n\r\n{}".encode()
            )
            deadline = time.monotonic() + 20
            while len(self._connections) == before:
                assert time.monotonic() < deadline, f"the service does not ping {webhook_id}"
                time.sleep(0.002)
            yield
