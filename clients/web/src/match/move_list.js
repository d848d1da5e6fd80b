// <move-list>: the events of a match in notation. Each leads to its position.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { eventText } from "../words/events.js";

/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */

/** How many rows are drawn around the position that is shown: a list of thousands would slow the page down. */
const WINDOW = 60;

/** While a slider runs, the list follows it this often. */
const UPDATE_MS = 120;

class MoveList extends Part {
  static properties = {
    events: { attribute: false },
    count: { attribute: false },
    seats: { attribute: false },
    seq: { attribute: false },
  };

  constructor() {
    super();
    /** @type {MatchEvent[]} */
    this.events = [];
    this.count = 0;
    /** @type {import("../api/messages.js").SeatStatus[]} */
    this.seats = [];
    this.seq = 0;
    this.updatedMs = 0;
    /** Seq of the row that the list was scrolled to. */
    this.scrolledTo = 0;
  }

  async scheduleUpdate() {
    const waitMs = this.updatedMs + UPDATE_MS - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.updatedMs = performance.now();
    return super.scheduleUpdate();
  }

  updated() {
    const list = this.querySelector("ol");
    const current = this.querySelector("[aria-current]");
    // Who scrolls the list by hand keeps the place until another position is shown.
    if (!list || !current || this.scrolledTo === this.seq) return;
    this.scrolledTo = this.seq;
    const [row, whole] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollTop += row.top + row.height / 2 - (whole.top + whole.height / 2);
  }

  render() {
    const first = Math.max(0, Math.min(this.seq - WINDOW / 2, this.count - WINDOW));
    const rows = this.events.slice(first, first + WINDOW).filter(Boolean);
    return html`
      <ol tabindex="0" aria-label="Moves and other events">
        ${first > 0 ? html`<li class="more">${first} earlier events: use the slider</li>` : nothing}
        ${rows.map((event) => this.row(event))}
      </ol>`;
  }

  /** @param {MatchEvent} event */
  row(event) {
    const isCurrent = event.seq === this.seq;
    const isMove = event.moveMade || event.turnRevealed;
    return html`<li>
      <button type="button" class=${isMove ? "notation" : "minor"} aria-current=${isCurrent ? "step" : nothing}
        @click=${() => this.tell("seek", event.seq)}><span class="number">${event.seq}</span> ${eventText(event, this.seats)}</button>
    </li>`;
  }
}

customElements.define("move-list", MoveList);
