// What of a match is looked at: a position that is not the newest, and whose side. Both are in the page's address,
// so that a reload and a link show the same.

import { parameters } from "../page/part.js";

/** Browsers limit how often an address may change. */
const REPLACE_AFTER_MS = 300;

/** What someone looks at. */
export class LookedAt {
  /** Seq of the position, if it is not the newest. @type {number | null} */
  atSeq = Number(parameters().get("at")) || null;
  /** Whose side is shown once the match is over; empty for what this browser sees by itself. */
  viewer = parameters().get("viewer") ?? "";
  #timer = 0;

  /** Looks at a position. @param {number | null} atSeq nothing for the newest */
  seek(atSeq) {
    this.atSeq = atSeq;
    this.#replace("at", atSeq === null ? "" : String(atSeq));
  }

  /** Looks as a kind of viewer. @param {string} viewer */
  lookAs(viewer) {
    this.viewer = viewer;
    this.#replace("viewer", viewer);
  }

  /** @param {string} name @param {string} value */
  #replace(name, value) {
    clearTimeout(this.#timer);
    const query = new URLSearchParams(this.#query ?? parameters());
    if (value) query.set(name, value);
    else query.delete(name);
    this.#query = query;
    this.#timer = window.setTimeout(() => {
      this.#query = null;
      history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
    }, REPLACE_AFTER_MS);
  }

  /** What the address will have. @type {URLSearchParams | null} */
  #query = null;
}
