/**
 * The package in browsers, over gRPC-Web.
 *
 * @module
 */

import { Client } from "./client.js";
import type { MatchbookOptions } from "./settings.js";
import { openTransport } from "./transport/browser.js";

export * from "./public.js";

/**
 * A client of a Matchbook service.
 *
 * @example
 * const client = new Matchbook({ url: "https://play.example.org" });
 * const match = await client.createMatch("ludus-magus");
 */
export class Matchbook extends Client {
  /** Sends nothing yet. Throws a TypeError for options that cannot work. */
  constructor(options: MatchbookOptions = {}) {
    super(options, openTransport);
  }
}

/** Returns a client of a service: `new Matchbook(options)` as a function. */
export function connect(options: MatchbookOptions = {}): Matchbook {
  return new Matchbook(options);
}
