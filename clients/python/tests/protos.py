"""The RPCs as the package's messages describe them."""

import importlib
import pkgutil
from typing import Any

from matchbook import v1


def rpcs() -> list[Any]:
    """Returns the descriptors of all RPCs."""
    names = [info.name for info in pkgutil.iter_modules(v1.__path__)]
    files = [importlib.import_module(f"matchbook.v1.{name}").DESCRIPTOR for name in names]
    services = [service for file in files for service in file.services_by_name.values()]
    return [rpc for service in services for rpc in service.methods]
