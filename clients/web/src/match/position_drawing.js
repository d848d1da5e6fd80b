// Which board is drawn: the position that is wanted, one at a time, with its neighbours fetched ahead.

import { explain } from "../api/refusal.js";
import { Pictures } from "./pictures.js";

/** How many positions ahead of the one shown are fetched while someone steps through a match. */
const PREFETCHED = 6;

/** How long a position must be looked at before its neighbours are fetched. */
const PREFETCH_AFTER_MS = 150;

/** @typedef {import("./pictures.js").Which} Which */

/**
 * @typedef {object} Stage what the drawing is for
 * @property {() => Which | null} wanted what to draw now, if anything
 * @property {() => Promise<import("./board.js").MatchBoard | null>} board where to show it
 * @property {(after: number, to: number) => Record<string, any>[]} facts what led from one position to
 * another
 * @property {() => void} changed what `isDrawn`, `shownSeq` or `refusal` say has changed
 */

/** The drawing of one match page. */
export class PositionDrawing {
  /** Whether a board is shown. */
  isDrawn = false;
  /** Seq of the position that is shown. */
  shownSeq = 0;
  /** Why there is no board. */
  refusal = "";
  /** @type {Pictures | null} */
  #pictures = null;
  #shownKey = "";
  #isBusy = false;
  #timer = 0;

  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
  }

  /** Draws for another viewer from now on. @param {import("../api/service.js").Place} place */
  open(place) {
    this.#pictures = new Pictures(place);
    this.#shownKey = "";
  }

  /** Takes the board away. */
  cover() {
    [this.isDrawn, this.shownSeq, this.#shownKey] = [false, 0, ""];
  }

  /** Draws the newest position, whichever it is: the first board does not wait for the events. */
  async drawFirst() {
    const pictures = this.#pictures;
    const drawing = await pictures?.get(/** @type {any} */ ({})).catch(() => null);
    const board = drawing ? await this.stage.board() : null;
    if (drawing && board && pictures === this.#pictures && this.shownSeq === 0)
      this.#show(board, drawing, []);
  }

  /** Draws what is wanted, one board at a time: while a slider runs, those that have been passed are left
   * out. */
  async draw() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let key = this.#wantedKey; key && key !== this.#shownKey; key = this.#wantedKey) {
      // What was refused is not asked for again, but something else may be wanted by now.
      if (!(await this.#drawPosition(key)) && key === this.#wantedKey) break;
    }
    this.#isBusy = false;
  }

  /** Fetches a position that will be wanted soon. @param {Which} which */
  fetch(which) {
    this.#pictures?.get(which).catch(() => {});
  }

  /** Fetches positions around the one shown, once it has been shown for a while.
   * @param {number} head the newest @param {(seq: number) => Which} picture */
  prefetch(head, picture) {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      const [first, last] = [Math.max(1, this.shownSeq - 2), Math.min(head, this.shownSeq + PREFETCHED)];
      for (let seq = first; seq <= last; seq++) this.fetch(picture(seq));
    }, PREFETCH_AFTER_MS);
  }

  get #wantedKey() {
    const wanted = this.stage.wanted();
    return wanted ? JSON.stringify(wanted) : "";
  }

  /** Returns whether the position is shown, or void. @param {string} key */
  async #drawPosition(key) {
    const pictures = this.#pictures;
    const which = JSON.parse(key);
    try {
      const drawing = pictures?.kept(which) ?? (await pictures?.get(which)) ?? "";
      const board = await this.stage.board();
      if (pictures !== this.#pictures || !this.#wantedKey) return true;
      if (!board) return false;
      const isNext = this.shownSeq > 0 && which.atSeq > this.shownSeq && which.atSeq - this.shownSeq < 4;
      this.#show(board, drawing, isNext ? this.stage.facts(this.shownSeq, which.atSeq) : []);
      [this.shownSeq, this.#shownKey, this.refusal] = [which.atSeq, key, ""];
      this.stage.changed();
      return true;
    } catch (error) {
      if (pictures !== this.#pictures) return true;
      this.refusal = explain(error);
      this.stage.changed();
      return false;
    }
  }

  /** @param {import("./board.js").MatchBoard} board @param {string} drawing
   * @param {Record<string, any>[]} facts */
  #show(board, drawing, facts) {
    board.show(drawing, facts);
    if (this.isDrawn) return;
    this.isDrawn = true;
    this.stage.changed();
  }
}
