/** How a client connects: URL, credentials, timeouts. */

import { DEFAULT_RETRY, type RetryPolicy } from "./retry.js";

/** The options of a client. */
export interface MatchbookOptions {
  /** The service's URL, such as `https://play.example.org`; by default `http://127.0.0.1:7420`. */
  readonly url?: string | undefined;
  /** The API key of an application. */
  readonly apiKey?: string | undefined;
  /** Certificates to trust in PEM form, instead of well-known authorities. Node only. */
  readonly ca?: string | undefined;
  /** Maximum duration of one attempt of a call in milliseconds, by default 15 000. Streams have none. */
  readonly timeoutMs?: number | undefined;
  /** How often calls are repeated; absent fields take their defaults. */
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/** The checked options of a client. */
export interface Settings {
  readonly url: string;
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** Checks the options of a client; throws a TypeError for one that cannot work. */
export function settingsOf(options: MatchbookOptions): Settings {
  const url = options.url ?? "http://127.0.0.1:7420";
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash || parsed.username) {
    throw new TypeError(`invalid URL ${JSON.stringify(url)}; write it as https://HOST:PORT`);
  }
  if (options.ca !== undefined && parsed.protocol !== "https:") {
    throw new TypeError(`ca has no effect at ${url}; write the URL as https://HOST:PORT`);
  }
  if (options.ca !== undefined && !options.ca.includes("-----BEGIN CERTIFICATE-----")) {
    throw new TypeError("ca has no certificate in PEM form; pass the content of the file, not its path");
  }
  return {
    url: url.replace(/\/+$/, ""),
    ca: options.ca,
    timeoutMs: options.timeoutMs ?? 15_000,
    retry: { ...DEFAULT_RETRY, ...options.retry },
  };
}

/** Returns what a client with this API key sends with each call. */
export function keyHeaders(apiKey: string | undefined): Headers {
  return apiKey === undefined ? {} : { authorization: `Bearer ${visible(apiKey, "API key")}` };
}

/** Returns what the client of a seat sends with each call. */
export function tokenHeaders(token: string): Headers {
  return { "matchbook-seat-token": visible(token, "seat's token") };
}

function visible(secret: string, name: string): string {
  // The message must not show the secret.
  if (/^[!-~]+$/.test(secret)) return secret;
  throw new TypeError(`the ${name} is empty or has characters that no ${name} has`);
}
