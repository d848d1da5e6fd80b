"""Deliveries of webhooks, as their receiver verifies them."""

import hmac
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping

from google.protobuf.json_format import Parse

from . import v1
from .errors import MatchbookError


class ForgedDelivery(MatchbookError):
    """A request that is not signed with the webhook's secret, or repeats an old delivery."""


def open_delivery(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = 300.0
) -> v1.WebhookPayload:
    """Verifies a delivery of a webhook and returns it; raises `ForgedDelivery` if it is none.

    `secret` is the webhook's, `body` the request's body as it arrived. A delivery whose time differs from
    this machine's by more than `tolerance` seconds counts as forged, so that nobody can repeat an old one.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    signed = f"{sent.get('webhook-id')}.{sent.get('webhook-timestamp')}.".encode() + body
    digest = hmac.digest(b64decode(secret.removeprefix("whsec_")), signed, "sha256")
    expected = b"v1," + b64encode(digest)
    signatures = sent.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
        raise ForgedDelivery("the delivery is not signed with this secret; answer 401")
    if abs(time.time() - int(sent["webhook-timestamp"])) > tolerance:
        raise ForgedDelivery("the delivery was signed too long ago; compare this machine's clock, answer 401")
    return Parse(body, v1.WebhookPayload(), ignore_unknown_fields=True)
