/** The receiver's side of webhooks, with the example of Standard Webhooks' own libraries. */

import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { InvalidSignature, verifyDelivery } from "matchbook/webhooks";

const SECRET = `whsec_${randomBytes(32).toString("base64")}`;
const BODY = JSON.stringify({ id: "m-1", type: "match_ended", timestamp: "", data: { name: "Zoë" } });
const NOW = new Date(1_767_225_600_000);

function sign(secret: string, body = BODY, timestamp = "1767225600"): Record<string, string> {
  const hmac = createHmac("sha256", Buffer.from(secret.slice(6), "base64")).update(`m-1.${timestamp}.`);
  const signature = `v1,${hmac.update(body).digest("base64")}`;
  return { "webhook-id": "m-1", "webhook-timestamp": timestamp, "webhook-signature": signature };
}

test("the published example of Standard Webhooks verifies", async () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const body = '{"test": 2432232314}';
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  assert.deepEqual(await verifyDelivery(secret, headers, body, new Date(1_614_265_330_000)), {
    test: 2432232314,
  });
});

test("a delivery verifies as text and bytes, with plain headers and those of fetch", async () => {
  const headers = sign(SECRET);
  const delivery = await verifyDelivery(SECRET, headers, BODY, NOW);
  assert.equal(delivery.type, "match_ended");
  assert.deepEqual(await verifyDelivery(SECRET, new Headers(headers), Buffer.from(BODY), NOW), delivery);
  const other = sign(`whsec_${randomBytes(32).toString("base64")}`)["webhook-signature"];
  const both = `${other} ${headers["webhook-signature"]}`;
  assert.deepEqual(
    await verifyDelivery(SECRET, { ...headers, "webhook-signature": both }, BODY, NOW),
    delivery,
  );
});

test("anything else is refused", async () => {
  const good = sign(SECRET);
  const attempts: [Record<string, string>, string, Date][] = [
    [good, BODY.replace("m-1", "m-2"), NOW],
    [{ ...good, "webhook-id": "m-2" }, BODY, NOW],
    [sign(`whsec_${randomBytes(32).toString("base64")}`), BODY, NOW],
    [{ ...good, "webhook-signature": "" }, BODY, NOW],
    [{ ...good, "webhook-signature": "v1,%%% v1a,AAAA" }, BODY, NOW],
    [good, BODY, new Date(NOW.getTime() + 301_000)],
    [good, BODY, new Date(NOW.getTime() - 301_000)],
    [sign(SECRET, BODY, "soon"), BODY, NOW],
    [{ "webhook-id": "m-1" }, BODY, NOW],
  ];
  for (const [headers, body, now] of attempts) {
    await assert.rejects(verifyDelivery(SECRET, headers, body, now), InvalidSignature);
  }
  await assert.rejects(verifyDelivery("secret", good, BODY, NOW), /starts with whsec_/);
});
