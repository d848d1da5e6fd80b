// <match-clocks>: the clocks of some seats, each with its player's name, beside the board; they tick by the
// service's time. In matches without clocks the board alone shows names; turns and results are here for
// screen readers only.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { clockText, remainingMs } from "../time/server_time.js";

class MatchClocks extends Part {
  static properties = { view: { attribute: false }, held: { attribute: false }, seats: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    /** The seats held here. @type {import("../seats/seats.js").HeldSeat[]} */
    this.held = [];
    /** The seats on this side of the board. @type {number[]} */
    this.seats = [];
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.view?.clocks && this.requestUpdate(), 100);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  render() {
    const { view } = this;
    if (!view) return nothing;
    const rows = view.seats.filter(({ seat }) => this.seats.includes(seat));
    const style = view.clocks ? "seats" : "seats hidden";
    return html`<ul class=${style} aria-label="Seats">${rows.map((seat) => this.seatRow(view, seat))}</ul>`;
  }

  /** @param {import("../api/messages.js").View} view
   * @param {import("../api/messages.js").SeatStatus} status */
  seatRow(view, { seat, title, claimed, player }) {
    const clock = view.clocks?.seats.find((clock) => clock.seat === seat);
    const name = player?.displayName ?? (claimed ? "name erased" : "free");
    const holder = this.held.find((held) => held.seat === seat)?.player;
    const isToAct = view.toAct.includes(seat);
    const word = isToAct ? "to move" : view.sealed.includes(seat) ? "has chosen" : rankWord(view, seat);
    const whose = holder === "person" ? " (you)" : holder === "bot" ? " (played by this tab)" : "";
    return html`<li class=${isToAct ? "to-act" : ""} data-seat=${seat}>
      <span class="player"><span class="hidden">${title} </span><bdi>${name}</bdi
        ><span class="hidden">${whose} ${word}</span></span>
      ${clock ? timeLeft(clock, isToAct) : nothing}
    </li>`;
  }
}

/** @param {import("../api/messages.js").SeatClock} clock @param {boolean} isToAct */
const timeLeft = (clock, isToAct) => {
  const ms = remainingMs(clock);
  const isUrgent = clock.dueTime && ms < 10_000;
  return html`<span class="clock ${isUrgent ? "urgent" : ""}" role="timer"
    >${isToAct ? html`<span class="running" aria-hidden="true">▶</span>` : nothing}${clockText(ms)}</span>`;
};

/** @param {import("../api/messages.js").View} view @param {number} seat */
const rankWord = ({ result }, seat) => {
  if (result?.outcome === "OUTCOME_DRAW") return "draw";
  const rank = result?.standings.find((standing) => standing.seat === seat)?.rank;
  return rank === undefined ? "" : rank === 1 ? "won" : "lost";
};

customElements.define("match-clocks", MatchClocks);
