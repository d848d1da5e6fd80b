"""Deliveries of webhooks, signed as the service signs them."""

import base64
import hashlib
import hmac
import time


def signed(secret: str, body: bytes, *, age: float = 0.0) -> dict[str, str]:
    """Returns the headers of a delivery that was signed so many seconds ago."""
    moment = int(time.time() - age)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"message-1.{moment}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": "message-1",
        "Webhook-Timestamp": str(moment),
        "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}",
    }
