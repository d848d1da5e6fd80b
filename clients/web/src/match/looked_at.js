// The position shown, if it is not the newest, and the side it is seen from. Both are in the page's address,
// so that a reload and a link show the same.

import { parameters } from "../page/part.js";

/** The greatest seq of the API. */
const MAX_SEQ = 2 ** 32 - 1;

/** Returns the seq that an address names, if it names one. @param {string | null} text */
const seqOf = (text) => {
  const seq = Number(text);
  return Number.isInteger(seq) && seq >= 1 && seq <= MAX_SEQ ? seq : null;
};

/** The sides that an address can name: its own one is what this browser sees by itself. */
const VIEWERS = ["KIND_SPECTATOR", "KIND_OPEN"];

/** Browsers limit how often an address may change. */
const REPLACE_AFTER_MS = 300;

/** What someone looks at. */
export class LookedAt {
  /** Seq of the position, if it is not the newest. @type {number | null} */
  atSeq = seqOf(parameters().get("at"));
  /** Whose side is shown once the match is over; empty for what this browser sees by itself. */
  viewer = VIEWERS.find((kind) => kind === parameters().get("viewer")) ?? "";
  #timer = 0;
  /** What the address will have. @type {URLSearchParams | null} */
  #query = null;
  #writtenMs = -REPLACE_AFTER_MS;

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
    const query = this.#query ?? parameters();
    if (value) query.set(name, value);
    else query.delete(name);
    this.#query = query;
    // The first change is written at once: a page may be reloaded right after it.
    clearTimeout(this.#timer);
    const waitMs = this.#writtenMs + REPLACE_AFTER_MS - performance.now();
    if (waitMs <= 0) this.#write();
    else this.#timer = window.setTimeout(() => this.#write(), waitMs);
  }

  #write() {
    const query = this.#query ?? parameters();
    history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
    [this.#query, this.#writtenMs] = [null, performance.now()];
  }
}
