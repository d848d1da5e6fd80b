"""A connection that a test can cut: a proxy before the service."""

import contextlib
import socket
import threading
import time


class Proxy:
    """Forwards connections; can swallow answers, and cut every connection.

    `delay` is how many seconds bytes are under way to either side.
    """

    def __init__(self, target: str, delay: float = 0.0) -> None:
        self._delay = delay
        host, port = target.rsplit(":", 1)
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._sockets: list[socket.socket] = []
        self._swallows = threading.Event()
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_the_next_answer(self) -> None:
        """Drops what the service sends from now on and cuts the connection instead."""
        self._swallows.set()

    def cut(self) -> None:
        """Cuts every connection."""
        sockets, self._sockets = self._sockets, []
        for connection in sockets:
            # One side may have closed it already.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Ends the proxy."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self.connections += 1
                self._sockets += [near, far]
                threading.Thread(target=self._forward, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._forward, args=(far, near, True), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                # Acknowledgements of settings and windows are small; a response carries a view.
                if is_answer and self._swallows.is_set() and len(data) > 100:
                    self._swallows.clear()
                    self.cut()
                    return
                time.sleep(self._delay)
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
