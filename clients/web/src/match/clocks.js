// <match-clocks>: each seat's name, whether it is to act or has chosen, and its clock, which ticks by the
// service's time.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { clockText, remainingMs } from "../time/server_time.js";

class MatchClocks extends Part {
  static properties = { view: { attribute: false }, held: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    /** The seats held here. @type {import("../seats/seats.js").HeldSeat[]} */
    this.held = [];
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
    if (!view) return html`<p class="skeleton">Loading</p>`;
    return html`<ul class="seats">${view.seats.map((seat) => this.seatRow(view, seat))}</ul>`;
  }

  /** @param {import("../api/messages.js").View} view @param {import("../api/messages.js").SeatStatus} status */
  seatRow(view, { seat, title, claimed, player }) {
    const clock = view.clocks?.seats.find((clock) => clock.seat === seat);
    const name = player?.displayName ?? (claimed ? "name erased" : "free");
    const holder = this.held.find((held) => held.seat === seat)?.player;
    const isToAct = view.toAct.includes(seat);
    const word = isToAct ? "to move" : view.sealed.includes(seat) ? "has chosen" : rankWord(view, seat);
    return html`<li class=${isToAct ? "to-act" : ""} data-seat=${seat}>
      <span class="who"><strong>${title}</strong> <bdi>${name}</bdi>${holder === "person" ? " (you)" : holder === "bot" ? " (played by this tab)" : ""}</span>
      <span class="doing">${word}</span>
      ${clock ? timeLeft(clock) : nothing}
    </li>`;
  }
}

/** @param {import("../api/messages.js").SeatClock} clock */
const timeLeft = (clock) => {
  const ms = remainingMs(clock);
  const isUrgent = clock.dueTime && ms < 10_000;
  return html`<span class="clock ${isUrgent ? "urgent" : ""}" role="timer">${clockText(ms)}</span>`;
};

/** @param {import("../api/messages.js").View} view @param {number} seat */
const rankWord = ({ result }, seat) => {
  if (result?.outcome === "OUTCOME_DRAW") return "draw";
  const rank = result?.standings.find((standing) => standing.seat === seat)?.rank;
  return rank === undefined ? "" : rank === 1 ? "won" : "lost";
};

customElements.define("match-clocks", MatchClocks);
