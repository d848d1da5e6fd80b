"""How a client connects: address, certificates, credentials, timeouts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import grpc

from .retry import RetryPolicy

PEM_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
# A record of a log can be longer than the 4 MiB that gRPC receives by default.
MAX_MESSAGE_BYTES = 64 << 20

CHANNEL_OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    # A watch may be silent for long, and only pings reveal that a silent peer is gone.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # The retry policy decides when a call is repeated.
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # Despite its name, how long an attempt to connect may take, TLS included.
    ("grpc.min_reconnect_backoff_ms", 5000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # Clients share no connections.
    ("grpc.use_local_subchannel_pool", 1),
)

SEAT_TOKEN = "matchbook-seat-token"

Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Settings:
    """The settings of a client."""

    server: str
    """The address, with a scheme and without a trailing slash."""
    target: str
    """The same as gRPC takes it."""
    tls: grpc.ChannelCredentials | None
    timeout: float
    retry: RetryPolicy

    @classmethod
    def of(cls, server: str, ca_file: str | Path | None, timeout: float, retry: RetryPolicy) -> "Settings":
        """Checks the arguments of a client."""
        server = canonical_server(server)
        url = urlsplit(server)
        if url.scheme not in ("http", "https") or not url.hostname or url.path or url.query or url.username:
            raise ValueError(f"invalid address {server}; write it as https://HOST:PORT")
        port = url.port or (443 if url.scheme == "https" else 80)
        host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
        tls = None
        if url.scheme == "https":
            tls = grpc.ssl_channel_credentials(None if ca_file is None else read_certificates(ca_file))
        elif ca_file is not None:
            raise ValueError(f"ca_file has no effect at {server}; write the address as https://HOST:PORT")
        return cls(server, f"{host}:{port}", tls, timeout, retry)


def canonical_server(server: str) -> str:
    """Returns the one spelling of an address: with a scheme, `http` if it has none.

    >>> canonical_server("127.0.0.1:7420/")
    'http://127.0.0.1:7420'
    """
    server = server.removesuffix("/")
    return server if "://" in server else f"http://{server}"


def read_certificates(path: str | Path) -> bytes:
    """Reads certificates in PEM form."""
    content = Path(path).read_bytes()
    if PEM_CERTIFICATE not in content:
        raise ValueError(f"{path} has no certificate in PEM form")
    return content


def key_metadata(api_key: str | None) -> Metadata:
    """Returns what a client with this API key sends with each call."""
    return () if api_key is None else (("authorization", f"Bearer {_visible(api_key, 'API key')}"),)


def token_metadata(token: str) -> Metadata:
    """Returns what the client of a seat sends with each call."""
    return ((SEAT_TOKEN, _visible(token, "seat's token")),)


def _visible(secret: str, name: str) -> str:
    # The message must not show the secret.
    if re.fullmatch(r"[!-~]+", secret) is None:
        raise ValueError(f"the {name} is empty or has characters that no {name} has")
    return secret
