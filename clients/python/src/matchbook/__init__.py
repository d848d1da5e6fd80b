"""A client of a Matchbook service.

- `Matchbook` is the client, `AsyncMatchbook` the same for asyncio.
- `Match` is one match, `Seat` one seat of it, which plays.
- `Watch` and `Feed` are streams that survive lost connections: each event arrives once and in order.
- `calls` of a client, match or seat has every RPC of the service as it is: a message in, a message out.
- `Refused` and its subclasses say why the service refused a call; `Unreachable`, that no answer arrived.
- `matchbook.v1` has the messages of the API, `matchbook.audit` verifies exported logs.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .public import *
else:

    def __getattr__(name):
        # On first use, so that `matchbook.audit` needs Python alone.
        if find_spec(f"{__name__}.{name}") is not None:
            return import_module(f".{name}", __name__)
        if name == "__all__":
            return public_names()
        return getattr(import_module(".public", __name__), name)

    def __dir__():
        return [*public_names(), "audit"]

    def public_names():
        return [name for name in dir(import_module(".public", __name__)) if not name.startswith("_")]
