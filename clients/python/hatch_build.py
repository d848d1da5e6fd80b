"""Makes what the wheel has and the sources have not.

From the protos: the messages with their type stubs, a method for each RPC, an exception for each reason of a
refusal. From the asynchronous client: the synchronous one.
"""

import importlib.resources
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from google.api import http_pb2
from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

File = descriptor_pb2.FileDescriptorProto
Method = descriptor_pb2.MethodDescriptorProto

RULES = "buf/validate/validate.proto"
ERRORS = "matchbook/v1/error.proto"

CALLS = '''"""Every RPC of the service, as `proto/matchbook/v1` describes it."""

from collections.abc import AsyncIterable

from .. import v1
from ..requests import with_request_id
from .connection import AsyncConnection, AsyncOpenStream


class AsyncCalls(AsyncConnection):
    """Every RPC of the service: a message or a stream of messages in, a message or a stream of messages out.

    A call is repeated where that is safe; a request that takes a `request_id` and has none gets a new one,
    except on a stream of requests. A stream ends where it breaks.
    """
'''

REFUSALS = '''"""An exception for each reason of refusals, as `proto/matchbook/v1/error.proto` has them."""

from . import v1
from .errors import Refused as Refused
'''

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
        files = generate_messages(proto, self._folder)
        package = self._folder / "matchbook"
        (package / "refusals.py").write_text(refusals(files), encoding="utf-8")
        (package / "_aio").mkdir()
        (package / "_aio/calls.py").write_text(calls(files), encoding="utf-8")
        generate_sync_client([root / "src/matchbook/_aio", package / "_aio"], package / "_sync")
        for path in (self._folder / "matchbook").rglob("*.py*"):
            build_data["force_include"][str(path)] = str(path.relative_to(self._folder))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary folder."""
        shutil.rmtree(self._folder)


def generate_messages(proto: Path, folder: Path) -> list[File]:
    """Generates the code of all messages, and a module `matchbook.v1` that has those of the API.

    Returns the files of the API.
    """
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
    files = with_options(descriptor_pb2.FileDescriptorSet.FromString(descriptors.read_bytes()))
    remove_field_rules(files)
    descriptors.write_bytes(files.SerializeToString())
    protoc(
        f"--descriptor_set_in={descriptors}",
        f"--plugin=protoc-gen-mypy={program('protoc-gen-mypy')}",
        f"--python_out={folder}",
        f"--mypy_out=quiet:{folder}",
        *names,
    )
    own_files = [file for file in files.file if file.package == "matchbook.v1"]
    (folder / "matchbook/v1/__init__.py").write_text(index(own_files))
    return own_files


def protoc(*arguments: str) -> None:
    """Runs the compiler of grpcio-tools."""
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments], check=True)


def program(name: str) -> str:
    """Returns the path of a program that a build dependency installed."""
    beside = Path(sys.executable).with_name(name)
    return shutil.which(name) or str(beside)


def with_options(files: descriptor_pb2.FileDescriptorSet) -> descriptor_pb2.FileDescriptorSet:
    """Returns the files with the options that they declare themselves, which are unknown when first read."""
    pool = descriptor_pool.Default()
    # The rules of durations name it, so it must be in the pool.
    assert pool.FindFileByName("google/protobuf/duration.proto") is duration_pb2.DESCRIPTOR
    for file in files.file:
        if file.name in (RULES, ERRORS):
            pool.AddSerializedFile(file.SerializeToString())
    return descriptor_pb2.FileDescriptorSet.FromString(files.SerializeToString())


def option(options: Any, name: str) -> Any:
    """Returns an option by its full name, or `None` if it is not set."""
    return next((value for field, value in options.ListFields() if field.full_name == name), None)


def remove_field_rules(files: descriptor_pb2.FileDescriptorSet) -> None:
    """Removes the rules of `buf.validate`.

    The service checks them, and a wheel must not contain modules of another project's package.
    """
    kept = [file for file in files.file if file.name != RULES]
    for file in kept:
        if RULES in file.dependency:
            file.dependency.remove(RULES)
        for message in messages_of(file):
            for field in message.field:
                for known in list(field.options.Extensions):
                    if known.full_name == "buf.validate.field":
                        field.options.ClearExtension(known)
    del files.file[:]
    files.file.extend(kept)


def messages_of(file: File) -> list[descriptor_pb2.DescriptorProto]:
    """Returns the messages of a file, nested ones included."""
    found = list(file.message_type)
    for message in found:
        found.extend(message.nested_type)
    return found


def index(files: list[File]) -> str:
    """Returns a module that has the messages and enums of all files."""
    lines = ['"""The messages and enums of the API, as `proto/matchbook/v1` describes them."""\n']
    for file in files:
        module = Path(file.name).stem + "_pb2"
        names = [message.name for message in file.message_type]
        for enum in file.enum_type:
            names += [enum.name, *(value.name for value in enum.value)]
        lines += [f"from .{module} import {name} as {name}" for name in names]
    return "\n".join(lines) + "\n"


def calls(files: list[File]) -> str:
    """Returns the module with a method for each RPC."""
    methods = []
    for file in files:
        for number, service in enumerate(file.service):
            for index, rpc in enumerate(service.method):
                path = f"/{file.package}.{service.name}/{rpc.name}"
                methods.append(method_of(rpc, path, docstring(file, [6, number, 2, index], 8), files))
    return CALLS + "".join(methods)


def method_of(rpc: Method, path: str, documentation: str, files: list[File]) -> str:
    """Returns the method that calls an RPC."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower()
    request, response = (f"v1.{message.rpartition('.')[2]}" for message in (rpc.input_type, rpc.output_type))
    if rpc.client_streaming:
        head = f"def {name}(self, requests: AsyncIterable[{request}]) -> AsyncOpenStream[{response}]"
        call = f'self._exchange("{path}", requests, {response})'
    elif rpc.server_streaming:
        head = f"def {name}(self, request: {request}) -> AsyncOpenStream[{response}]"
        call = f'self._open("{path}", request, {response})'
    else:
        head = f"async def {name}(self, request: {request}) -> {response}"
        sent = "with_request_id(request)" if takes_request_id(rpc, files) else "request"
        call = f'await self._call("{path}", {sent}, {response}, repeatable={is_repeatable(rpc, files)})'
    return f"\n    {head}:\n        {documentation}\n        return {call}\n"


def takes_request_id(rpc: Method, files: list[File]) -> bool:
    """Returns whether an RPC takes effect once per `request_id`."""
    messages = {f".{file.package}.{message.name}": message for file in files for message in file.message_type}
    return any(field.name == "request_id" for field in messages[rpc.input_type].field)


def is_repeatable(rpc: Method, files: list[File]) -> bool:
    """Returns whether a call can be sent again if its answer is lost."""
    unknown = descriptor_pb2.MethodOptions.IDEMPOTENCY_UNKNOWN
    return takes_request_id(rpc, files) or rpc.options.idempotency_level != unknown


def refusals(files: list[File]) -> str:
    """Returns the module with an exception for each reason that gRPC has."""
    file = next(file for file in files if file.name == ERRORS)
    enums = {enum.name: (number, enum) for number, enum in enumerate(file.enum_type)}
    retries = {value.number: value.name for value in enums["Retry"][1].value}
    number, reasons = enums["ErrorReason"]
    names, classes = ["Refused"], []
    for index, value in enumerate(reasons.value):
        if value.number == 0 or option(value.options, "matchbook.v1.http_only"):
            continue
        reason = value.name.removeprefix("ERROR_REASON_")
        names.append(reason.title().replace("_", ""))
        retry = retries[option(value.options, "matchbook.v1.retry") or 0]
        head = f'class {names[-1]}(Refused, reason="{reason}", retry=v1.{retry})'
        classes.append(f"\n\n{head}:\n    {docstring(file, [5, number, 2, index], 4)}\n")
    return f"{REFUSALS}\n__all__ = {names}\n" + "".join(classes)


def docstring(file: File, path: list[int], indent: int) -> str:
    """Returns the comment above a declaration as a docstring."""
    comment = next(place for place in file.source_code_info.location if place.path == path).leading_comments
    text = comment.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{textwrap.indent(textwrap.dedent(" " + text), " " * indent).strip()}"""'


def generate_sync_client(sources: list[Path], target: Path) -> None:
    """Writes the synchronous client."""
    target.mkdir(parents=True)
    for path in (path for source in sources for path in source.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for pattern, replacement in REPLACEMENTS:
            text = re.sub(pattern, replacement, text)
        (target / path.name).write_text(text, encoding="utf-8")
