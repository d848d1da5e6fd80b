"""The transport of the synchronous client. `transport_aio` has the same names."""

from time import sleep as sleep

import grpc

from .settings import CHANNEL_OPTIONS, Settings

Channel = grpc.Channel
UnaryRpc = grpc.UnaryUnaryMultiCallable
StreamRpc = grpc.UnaryStreamMultiCallable
ExchangeRpc = grpc.StreamStreamMultiCallable


def open_channel(settings: Settings) -> Channel:
    """Returns a channel, which connects on its first call."""
    if settings.tls is None:
        return grpc.insecure_channel(settings.target, CHANNEL_OPTIONS)
    return grpc.secure_channel(settings.target, settings.tls, CHANNEL_OPTIONS)
