// <match-turn>: right below the board on a phone: what the match waits for, and what someone here can do
// about it.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { tokensOf } from "../seats/seats.js";
import { statusText } from "../words/status.js";
import "./free_seats.js";
import "./lost_seat.js";
import "./move_builder.js";

class MatchTurn extends Part {
  static properties = { page: { attribute: false }, version: { attribute: false } };

  constructor() {
    super();
    /** @type {import("./match_page.js").MatchPage | null} */
    this.page = null;
    this.version = 0;
    /** The place of the seat whose move is being built, which stays the same object meanwhile.
     * @type {import("../api/service.js").Place} */
    this.place = { matchId: "" };
  }

  render() {
    const { page } = this;
    const session = page?.session;
    if (!page || !session) return nothing;
    const { view, match, connection } = session;
    return html`<section aria-label="Turn">
      <h1>${page.game?.title ?? match?.gameId ?? "Match"}</h1>
      ${connection === "lost" ? html`
        <p class="connection lost" role="status">The connection is lost. Trying again.</p>` : nothing}
      ${view ? this.turn(page, view) : html`<p class="skeleton">Loading</p>`}
    </section>`;
  }

  /** @param {import("./match_page.js").MatchPage} page @param {import("../api/messages.js").View} view */
  turn(page, view) {
    const refusal = page.refusal || page.drawing.refusal;
    return html`
      <p class="status">${statusText(view, page.looked.atSeq, page.acting !== null)}</p>
      ${refusal ? html`<p class="refusal" role="alert">${refusal}</p>` : nothing}
      ${view.status === "MATCH_STATUS_OPEN" ? this.freeSeats(page, view) : nothing}
      ${page.stale.map((held) => html`<lost-seat .view=${view} .held=${held}></lost-seat>`)}
      ${page.acting ? this.move(page, page.acting) : nothing}`;
  }

  /** @param {import("./match_page.js").MatchPage} page @param {import("../api/messages.js").View} view */
  freeSeats(page, view) {
    const before = tokensOf(page.session?.match?.rematchOf);
    // Heard on the element itself: it may be gone from the page when its claim is answered.
    return html`<free-seats .view=${view} .held=${page.held} .tokensBefore=${before} @seated=${page.adopt}
    ></free-seats>`;
  }

  /** @param {import("./match_page.js").MatchPage} page
   * @param {import("../seats/seats.js").HeldSeat} acting */
  move(page, acting) {
    if (page.looked.atSeq !== null) {
      return html`<p class="buttons"><button type="button" class="primary" @click=${() => page.seek(Infinity)}
        >Back to the newest position, where you are to move</button></p>`;
    }
    const { matchId } = page;
    if (this.place.token !== acting.token) this.place = { matchId, token: acting.token };
    const seq = page.session?.positionSeq ?? 0;
    return html`<move-builder .place=${this.place} .positionSeq=${seq}></move-builder>`;
  }
}

customElements.define("match-turn", MatchTurn);
