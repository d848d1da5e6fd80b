"""Certificates for tests, made by the program `openssl`."""

import subprocess
from pathlib import Path


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Makes a self-signed certificate for 127.0.0.1; returns the paths of it and of its key."""
    path, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec"]
    command += ["-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-out", str(path), "-keyout", str(key)], check=True, capture_output=True)
    return path, key
