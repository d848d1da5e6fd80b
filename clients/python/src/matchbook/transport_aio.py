"""The transport of the asynchronous client. `transport_sync` has the same names."""

from asyncio import sleep as sleep

import grpc
import grpc.aio

from .settings import CHANNEL_OPTIONS, Settings

Channel = grpc.aio.Channel
UnaryRpc = grpc.aio.UnaryUnaryMultiCallable
StreamRpc = grpc.aio.UnaryStreamMultiCallable
ExchangeRpc = grpc.aio.StreamStreamMultiCallable


def open_channel(settings: Settings) -> Channel:
    """Returns a channel, which connects on its first call."""
    if settings.tls is None:
        return grpc.aio.insecure_channel(settings.target, CHANNEL_OPTIONS)
    return grpc.aio.secure_channel(settings.target, settings.tls, CHANNEL_OPTIONS)
