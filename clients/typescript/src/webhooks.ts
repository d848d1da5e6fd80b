/**
 * The receiver's side of webhooks: verifies deliveries, which follow Standard Webhooks.
 *
 * @module
 */

import { base64Decode } from "@bufbuild/protobuf/wire";

/** Signed deliveries older or newer than this are rejected, in seconds. */
const TOLERANCE_SECONDS = 300;

/** A verified delivery: the body of docs/webhooks.md. */
export interface Delivery {
  /** The same in every repetition of a delivery: the match's ID and the event's seq. */
  readonly id: string;
  /** The event's kind, such as `move_made`. Ignore those that you do not know. */
  readonly type: string;
  /** When the service recorded the event, in RFC 3339's form. */
  readonly timestamp: string;
  /** The event as JSON, and the match that it belongs to. */
  readonly data: { readonly [field: string]: unknown };
}

/** The request is no delivery of this webhook: a header is missing, wrong or too old. */
export class InvalidSignature extends Error {
  override readonly name = "InvalidSignature";
}

/**
 * Returns the delivery in a request; throws `InvalidSignature` unless this webhook's secret signed it.
 *
 * `body` is the request's body as it arrived, before any parsing. `now` is the current time.
 *
 * @example
 * const delivery = await verifyDelivery(secret, request.headers, await request.text());
 */
export async function verifyDelivery(
  secret: string,
  headers: globalThis.Headers | Readonly<Record<string, string | string[] | undefined>>,
  body: string | Uint8Array,
  now: Date = new Date(),
): Promise<Delivery> {
  const read = (name: string) => {
    const value = headers instanceof globalThis.Headers ? headers.get(name) : headers[name];
    if (typeof value === "string") return value;
    throw new InvalidSignature(`the request has no header ${name}`);
  };
  const [id, timestamp] = [read("webhook-id"), read("webhook-timestamp")];
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = new Uint8Array([...new TextEncoder().encode(`${id}.${timestamp}.`), ...bytes]);
  const key = await signingKey(secret);
  const sent = read("webhook-signature").split(" ").map(decodeSignature);
  // WebCrypto compares in constant time.
  const found = await Promise.all(sent.map((one) => crypto.subtle.verify("HMAC", key, one, signed)));
  if (!found.includes(true)) throw new InvalidSignature("no signature of the request is this webhook's");
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) < TOLERANCE_SECONDS)) {
    throw new InvalidSignature(`the request was signed at ${timestamp}, more than 5 minutes from now`);
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as Delivery;
}

function signingKey(secret: string): Promise<CryptoKey> {
  if (!secret.startsWith("whsec_")) throw new TypeError("the secret of a webhook starts with whsec_");
  const bytes = new Uint8Array(base64Decode(secret.slice("whsec_".length)));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function decodeSignature(text: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64Decode(text.startsWith("v1,") ? text.slice(3) : ""));
  } catch {
    // A signature that is no base64 matches nothing.
    return new Uint8Array();
  }
}
