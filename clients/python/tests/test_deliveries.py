"""What a receiver of a webhook takes for a delivery."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from deliveries import signed
from service import Service

from matchbook import ForgedDelivery, Matchbook, open_delivery

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"id": "1-9", "type": "match_ended", "data": {"seq": 9}, "added": "in a later version"}'


def test_a_signed_delivery_is_returned() -> None:
    delivery = open_delivery(SECRET, signed(SECRET, BODY), BODY)
    assert (delivery.id, delivery.type, delivery.data.seq) == ("1-9", "match_ended", 9)


def test_one_of_two_signatures_is_enough() -> None:
    headers = signed(SECRET, BODY)
    headers["Webhook-Signature"] = f"v1,AAAA {headers['Webhook-Signature']} v2,\u00e9"
    assert open_delivery(SECRET, headers, BODY).type == "match_ended"


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_a_delivery_without_or_with_another_header_is_forged(name: str) -> None:
    for replacement in ({}, {name: ""}, {name: "1767225600"}, {name: "v1,\u00e9"}):
        headers = {key: value for key, value in signed(SECRET, BODY).items() if key != name}
        with pytest.raises(ForgedDelivery, match="not signed with this secret"):
            open_delivery(SECRET, headers | replacement, BODY)


def test_another_body_and_another_secret_are_forged() -> None:
    with pytest.raises(ForgedDelivery):
        open_delivery(SECRET, signed(SECRET, BODY), BODY + b" ")
    with pytest.raises(ForgedDelivery):
        open_delivery("whsec_AAAA", signed(SECRET, BODY), BODY)


@pytest.mark.parametrize("age", [301.0, -301.0, 10_000_000.0])
def test_an_old_delivery_is_forged_unless_the_receiver_tolerates_its_age(age: float) -> None:
    headers = signed(SECRET, BODY, age=age)
    with pytest.raises(ForgedDelivery, match="too long ago"):
        open_delivery(SECRET, headers, BODY)
    assert open_delivery(SECRET, headers, BODY, tolerance=abs(age) + 60).data.seq == 9


@contextmanager
def receiver(requests: list[tuple[dict[str, str], bytes]]) -> Iterator[str]:
    """A server that records what is sent to it; yields its URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_what_the_service_sends_is_a_delivery(tmp_path: Path) -> None:
    options = ("--webhook-allow-http", "--webhook-allow-private-networks")
    requests: list[tuple[dict[str, str], bytes]] = []
    with Service(tmp_path, roles=("app",), options=options) as service, receiver(requests) as url:
        with Matchbook(service.address, api_key=service.keys["app"]) as app:
            created = app.create_webhook(url)
            assert app.ping_webhook(created.webhook.webhook_id).delivered
    delivery = open_delivery(created.secret, *requests[0])
    assert (delivery.type, delivery.data.webhook_id) == ("ping", created.webhook.webhook_id)
