"""Checks compose files as Compose reads them: variables take their defaults, merge keys are resolved.

Rejects whatever the Compose specification does not define, and references to services or volumes that do not
exist.
"""

import re
import sys

import compose_spec
import yaml

# `${NAME:-default}` is the only form allowed, so that the file means the same in every environment.
VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


def check(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        text = VARIABLE.sub(r"\2", file.read())
    if "${" in text:
        raise ValueError("a variable has no default")
    # The round trip through YAML resolves nested merge keys.
    compose = compose_spec.PyCompose.from_yaml(yaml.safe_dump(yaml.safe_load(text)))
    compose.validate()
    services = compose.to_dict()["services"]
    for name, service in services.items():
        for other in service.get("depends_on") or {}:
            if other not in services:
                raise ValueError(f"{name} depends on {other}, which does not exist")
        for volume in service.get("volumes") or []:
            source = str(volume).split(":")[0]
            if not source.startswith((".", "/")) and source not in (compose.volumes or {}):
                raise ValueError(f"{name} mounts {source}, which does not exist")
    print(f"{path}: {', '.join(sorted(services))}")


for argument in sys.argv[1:]:
    try:
        check(argument)
    except (ValueError, yaml.YAMLError) as error:
        sys.exit(f"{argument}: {error}")
