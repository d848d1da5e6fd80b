"""Writes golden.jsonl: how Google's own Python runtime decodes each line of cases.txt.

Requires `pip install protobuf grpcio-tools`. Run it in this folder after changing the cases.
"""

import json
import tempfile
from importlib import resources
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

with tempfile.TemporaryDirectory() as folder:
    compiled = Path(folder, "set.bin")
    well_known = resources.files("grpc_tools") / "_proto"
    arguments = ["", "-I.", f"-I{well_known}", "--include_imports", f"-o{compiled}", "everything.proto"]
    assert protoc.main(arguments) == 0
    files = descriptor_pb2.FileDescriptorSet.FromString(compiled.read_bytes())

pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)
Everything = message_factory.GetMessageClass(pool.FindMessageTypeByName("canonical.Everything"))

with open("golden.jsonl", "w") as golden:
    for case in Path("cases.txt").read_text().splitlines():
        message = Everything()
        try:
            json_format.Parse(case, message, descriptor_pool=pool)
        except json_format.ParseError:
            answer = {"json": case, "refused": True}
        else:
            encoded = message.SerializeToString(deterministic=True).hex()
            printed = json_format.MessageToDict(message, descriptor_pool=pool)
            answer = {"json": case, "bytes": encoded, "printed": printed}
        golden.write(json.dumps(answer) + "\n")
