// One call to the service: its credentials, its body, and what happens when it gets no answer.

import { apiKey } from "./api_key.js";
import { foreign, refusalOf, unreachable } from "./refusal.js";

/** How often a call is sent before its refusal is final. */
const MAX_ATTEMPTS = 6;

const MAX_WAIT_MS = 5000;

/**
 * @typedef {object} Request
 * @property {string} [token] the token of a seat
 * @property {Record<string, unknown>} [query] parameters; those that are undefined are left out
 * @property {object} [body] makes the call a POST
 * @property {AbortSignal} [signal]
 * @property {boolean} [isSafe] whether the call may be sent again; a GET, or one with a request ID
 */

/** Waits, unless the signal is aborted first. @param {number} ms @param {AbortSignal} [signal] */
export const wait = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), { once: true });
  });

/** Returns the headers that say who calls. @param {string} [token] @returns {Record<string, string>} */
export const credentials = (token) => ({
  ...(apiKey() ? { authorization: `Bearer ${apiKey()}` } : {}),
  ...(token ? { "matchbook-seat-token": token } : {}),
});

/** Sends a request once. Throws a Refusal unless the response is a success.
 * @param {string} path @param {Request} request */
export const send = async (path, { token, query = {}, body, signal }) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const headers = credentials(token);
  if (body) headers["content-type"] = "application/json";
  const url = given.length === 0 ? path : `${path}?${parameters}`;
  const method = body ? "POST" : "GET";
  let response;
  try {
    response = await fetch(url, { method, headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
  if (!response.ok) throw refusalOf(await response.json().catch(() => null), response);
  return response;
};

/** Sends a request until it is answered for good.
 * @param {string} path @param {Request} request @returns {Promise<Response>} */
const sendUntilAnswered = async (path, request) => {
  const isSafe = request.isSafe ?? !request.body;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(path, request);
    } catch (error) {
      const refusal = /** @type {import("./refusal.js").Refusal} */ (error);
      if (!isSafe || !refusal.isTemporary || attempt === MAX_ATTEMPTS || request.signal?.aborted) throw error;
      const waitMs = Math.max(refusal.retryAfterMs ?? 0, 200 * 2 ** attempt);
      await wait(Math.min(MAX_WAIT_MS, waitMs), request.signal);
    }
  }
};

/** Calls the service and returns the JSON of its response. @param {string} path @param {Request} [request] */
export const call = async (path, request = {}) => {
  const response = await sendUntilAnswered(path, request);
  const answer = await response.json().catch((error) => {
    if (request.signal?.aborted) throw error;
    throw unreachable();
  });
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) throw foreign();
  return answer;
};

/** Calls the service and returns the text of its response. @param {string} path @param {Request} [request] */
export const callForText = async (path, request = {}) => (await sendUntilAnswered(path, request)).text();
