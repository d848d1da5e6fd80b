"""Reads compose files as Compose does: variables with their defaults, merged keys, then everything that the Compose
specification knows. Whatever it does not know, and every name of a network, volume or secret that is not there, is an error."""

import re
import sys

import compose_spec
import yaml

# `${NAME:-default}`; nothing else is used, so that the file means the same everywhere.
VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


def check(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        text = VARIABLE.sub(r"\2", file.read())
    if "${" in text:
        raise ValueError("a variable without a default")
    # Through YAML once before, since merged keys may merge others.
    compose = compose_spec.PyCompose.from_yaml(yaml.safe_dump(yaml.safe_load(text)))
    compose.validate()
    services = compose.to_dict()["services"]
    for name, service in services.items():
        for other in service.get("depends_on") or {}:
            if other not in services:
                raise ValueError(f"{name} depends on {other}, which is not there")
        for volume in service.get("volumes") or []:
            source = str(volume).split(":")[0]
            if not source.startswith((".", "/")) and source not in (compose.volumes or {}):
                raise ValueError(f"{name} mounts {source}, which is not there")
    print(f"{path}: {', '.join(sorted(services))}")


for argument in sys.argv[1:]:
    try:
        check(argument)
    except (ValueError, yaml.YAMLError) as error:
        sys.exit(f"{argument}: {error}")
