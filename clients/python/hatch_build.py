"""Makes what the wheel has and the sources have not: messages, their type stubs, the synchronous client."""

import importlib.resources
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from google.api import http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The synchronous client is the asynchronous one with these words replaced.
REPLACEMENTS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\bAwaitable, ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\banext\b", "next"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\btransport_aio\b", "transport_sync"),
]


class GeneratedCode(BuildHookInterface[Any]):
    """Adds generated files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generates the files in a temporary folder."""
        root = Path(self.root)
        # In an sdist, the protos are in its own folder.
        proto = next(folder for folder in (root / "proto", root / "../../proto") if folder.exists())
        self._folder = Path(tempfile.mkdtemp(prefix="matchbook-"))
        generate_messages(proto, self._folder)
        generate_sync_client(root / "src/matchbook/_aio", self._folder / "matchbook/_sync")
        for path in (self._folder / "matchbook").rglob("*.py*"):
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary folder."""
        shutil.rmtree(self._folder)


def generate_messages(proto: Path, folder: Path) -> None:
    """Generates the code of all messages, and a module `matchbook.v1` that has those of the API."""
    names = sorted(str(path.relative_to(proto)) for path in (proto / "matchbook").rglob("*.proto"))
    descriptors = folder / "descriptors.binpb"
    google = Path(http_pb2.__file__).parents[2]
    own = importlib.resources.files("grpc_tools") / "_proto"
    protoc(
        f"--proto_path={proto}",
        f"--proto_path={google}",
        f"--proto_path={own}",
        "--include_imports",
        "--include_source_info",
        f"--descriptor_set_out={descriptors}",
        *names,
    )
    files = descriptor_pb2.FileDescriptorSet.FromString(descriptors.read_bytes())
    descriptors.write_bytes(without_field_rules(files).SerializeToString())
    protoc(
        f"--descriptor_set_in={descriptors}",
        f"--plugin=protoc-gen-mypy={program('protoc-gen-mypy')}",
        f"--python_out={folder}",
        f"--mypy_out=quiet:{folder}",
        *names,
    )
    own_files = [file for file in files.file if file.package == "matchbook.v1"]
    (folder / "matchbook/v1/__init__.py").write_text(index(own_files))


def protoc(*arguments: str) -> None:
    """Runs the compiler of grpcio-tools."""
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments], check=True)


def program(name: str) -> str:
    """Returns the path of a program that a build dependency installed."""
    beside = Path(sys.executable).with_name(name)
    return shutil.which(name) or str(beside)


def without_field_rules(files: descriptor_pb2.FileDescriptorSet) -> descriptor_pb2.FileDescriptorSet:
    """Returns the files without the rules of `buf.validate`.

    The service checks them, and a wheel must not contain modules of another project's package.
    """
    pool = descriptor_pool.Default()
    # The rules of durations name it, so it must be in the pool.
    assert pool.FindFileByName("google/protobuf/duration.proto") is duration_pb2.DESCRIPTOR
    rules = next(file for file in files.file if file.name == "buf/validate/validate.proto")
    extension = pool.AddSerializedFile(rules.SerializeToString()).extensions_by_name["field"]
    # The options were parsed before the extension was known.
    known = descriptor_pb2.FileDescriptorSet.FromString(files.SerializeToString())
    kept = [file for file in known.file if file.package != "buf.validate"]
    for file in kept:
        if rules.name in file.dependency:
            file.dependency.remove(rules.name)
        for message in messages_of(file):
            for field in message.field:
                del_extension(field.options, extension)
    return descriptor_pb2.FileDescriptorSet(file=kept)


def del_extension(options: Any, extension: Any) -> None:
    """Removes the rules of a field."""
    handle = next((known for known in options.Extensions if known.full_name == extension.full_name), None)
    if handle is not None:
        options.ClearExtension(handle)


def messages_of(file: descriptor_pb2.FileDescriptorProto) -> list[descriptor_pb2.DescriptorProto]:
    """Returns the messages of a file, nested ones included."""
    found = list(file.message_type)
    for message in found:
        found.extend(message.nested_type)
    return found


def index(files: list[descriptor_pb2.FileDescriptorProto]) -> str:
    """Returns a module that has the messages and enums of all files."""
    lines = ['"""The messages and enums of the API, as `proto/matchbook/v1` describes them."""\n']
    for file in files:
        module = Path(file.name).stem + "_pb2"
        names = [message.name for message in file.message_type]
        for enum in file.enum_type:
            names += [enum.name, *(value.name for value in enum.value)]
        lines += [f"from .{module} import {name} as {name}" for name in names]
    return "\n".join(lines) + "\n"


def generate_sync_client(source: Path, target: Path) -> None:
    """Writes the synchronous client."""
    target.mkdir(parents=True)
    for path in source.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for pattern, replacement in REPLACEMENTS:
            text = re.sub(pattern, replacement, text)
        (target / path.name).write_text(text, encoding="utf-8")
