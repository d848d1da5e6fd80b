#!/usr/bin/env bash
# Generates Python code for gRPC from proto/, as proto/README.md says. Usage: generate_grpcio.sh PYTHON FOLDER
set -euo pipefail
python=$1
out=$2
mapfile -t protos < <(find proto/matchbook proto/buf -name '*.proto')
"$python" -m grpc_tools.protoc --proto_path=proto --python_out="$out" --grpc_python_out="$out" "${protos[@]}"
