// Boards as the service draws them, by position and viewer. Those seen last are kept.

import { drawBoard } from "../api/service.js";

const MAX_KEPT = 160;

/** @typedef {{atSeq: number, "viewer.kind"?: string, "viewer.seat"?: number, bottomSeat?: number}} Which */

/** The drawings of one match for one caller. */
export class Pictures {
  /** @type {Map<string, string>} */
  #kept = new Map();
  /** @type {Map<string, Promise<string>>} */
  #coming = new Map();

  /** @param {import("../api/service.js").Place} place */
  constructor(place) {
    this.place = place;
  }

  /** Returns a drawing if it is here. @param {Which} which */
  kept(which) {
    const key = JSON.stringify(which);
    const drawing = this.#kept.get(key);
    if (drawing === undefined) return null;
    this.#kept.delete(key);
    this.#kept.set(key, drawing);
    return drawing;
  }

  /** Gets a drawing. @param {Which} which @returns {Promise<string>} */
  async get(which) {
    const drawing = this.kept(which);
    if (drawing !== null) return drawing;
    const key = JSON.stringify(which);
    const coming = this.#coming.get(key) ?? drawBoard(this.place, which);
    this.#coming.set(key, coming);
    try {
      const drawn = await coming;
      this.#keep(key, drawn);
      return drawn;
    } finally {
      this.#coming.delete(key);
    }
  }

  /** @param {string} key @param {string} drawing */
  #keep(key, drawing) {
    this.#kept.set(key, drawing);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
  }
}
