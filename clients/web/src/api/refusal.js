// Refusals: why the service did not do what was asked, in a sentence for a person.

/** A call that failed: refused by the service, or never answered. */
export class Refusal extends Error {
  /**
   * @param {string} reason a reason of the API's table of errors, or UNREACHABLE
   * @param {string} message
   * @param {{paragraph?: string, metadata?: Record<string, string>, retryAfterMs?: number | null}} [details]
   */
  constructor(reason, message, { paragraph = "", metadata = {}, retryAfterMs = null } = {}) {
    super(message);
    this.reason = reason;
    this.paragraph = paragraph;
    this.metadata = metadata;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same call may succeed later. */
  get isTemporary() {
    return this.retryAfterMs !== null;
  }

  /** The message as a sentence. */
  get sentence() {
    const rule = this.paragraph && !this.message.includes(this.paragraph) ? ` (${this.paragraph})` : "";
    return sentence(this.message + rule);
  }
}

/** Returns a text with a capital letter and a full stop. @param {string} text */
const sentence = (text) => {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? "" : ".");
};

/** Returns what went wrong as a sentence. @param {unknown} error */
export const explain = (error) =>
  error instanceof Refusal ? error.sentence : sentence(`this page has a fault: ${error}; reload it`);

/** Whether the service does not know the seat's token, or not any more. @param {unknown} error */
export const isBadToken = (error) =>
  error instanceof Refusal && error.reason === "BAD_TOKEN" && error.metadata.credential !== "api_key";

/** The refusal that the body of a response has. @param {any} body @param {Response} response */
export const refusalOf = (body, response) => {
  const error = body?.error;
  const retryAfter = response.headers.get("retry-after");
  // It may be a date.
  const retryAfterMs = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : null;
  if (!error) {
    return new Refusal("INTERNAL", `the service answered with HTTP ${response.status}`, { retryAfterMs });
  }
  return refusalIn(error, retryAfterMs);
};

/** The refusal that an error object of the API describes.
 * @param {any} error @param {number | null} retryAfterMs */
export const refusalIn = (error, retryAfterMs) => {
  const info = error.details?.find((/** @type {any} */ detail) => detail["@type"]?.endsWith("ErrorInfo"));
  const retry = error.details?.find((/** @type {any} */ detail) => detail["@type"]?.endsWith("RetryInfo"));
  const metadata = info?.metadata ?? {};
  const wait = retry ? Number.parseFloat(retry.retryDelay) * 1000 : null;
  return new Refusal(error.reason ?? error.status, error.message, {
    paragraph: metadata.paragraph,
    metadata,
    retryAfterMs: retryAfterMs ?? wait,
  });
};

/** The refusal for an answer that is not the service's, such as a network's sign-in page. */
export const foreign = () =>
  new Refusal("UNREACHABLE", "what answers is not the service; check the connection, then reload the page");

/** The refusal for a call without an answer. */
export const unreachable = () =>
  new Refusal("UNREACHABLE", "the service can't be reached; check the connection", { retryAfterMs: 500 });
