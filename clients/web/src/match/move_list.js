// <move-list>: the events of a match in notation. Each leads to its position.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { eventText } from "../words/events.js";

/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */

/** How many rows are drawn around the position that is shown: a list of thousands would slow the page
 * down. */
const WINDOW = 60;

/** While a slider runs, the list follows it this often. */
const UPDATE_MS = 120;

class MoveList extends Part {
  static properties = {
    events: { attribute: false },
    count: { attribute: false },
    seats: { attribute: false },
    seq: { attribute: false },
    inColumns: { attribute: false },
  };

  constructor() {
    super();
    /** @type {MatchEvent[]} */
    this.events = [];
    this.count = 0;
    /** @type {import("../api/messages.js").SeatStatus[]} */
    this.seats = [];
    this.seq = 0;
    /** Whether each seat's moves have a column. */
    this.inColumns = false;
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
    const titles = this.seats.map(({ title }) => html`<span>${title}</span>`);
    return html`
      ${this.inColumns ? html`<p class="titles" aria-hidden="true">${titles}</p>` : nothing}
      <ol tabindex="0" class=${this.inColumns ? "columns" : ""} aria-label="Moves and other events">
        ${first > 0 ? html`<li class="more">${first} earlier events: use the slider</li>` : nothing}
        ${rows.map((event) => this.row(event))}
      </ol>`;
  }

  /** @param {MatchEvent} event */
  row(event) {
    const isCurrent = event.seq === this.seq;
    const isMove = event.moveMade || event.turnRevealed;
    // The column says whose move it is; in words it is there for screen readers.
    const column = this.inColumns ? event.moveMade : undefined;
    const text = eventText(event, this.seats);
    const [whose, what] = column ? [text.slice(0, -column.notation.length), column.notation] : ["", text];
    return html`<li data-column=${column ? column.seat : nothing}>
      <button type="button" class=${isMove ? "notation" : "minor"}
        aria-current=${isCurrent ? "step" : nothing}
        @click=${() => this.tell("seek", event.seq)}><span class="number">${event.seq}</span>
        <span>${whose ? html`<span class="hidden">${whose}</span>` : nothing}${what}</span></button>
    </li>`;
  }
}

customElements.define("move-list", MoveList);
