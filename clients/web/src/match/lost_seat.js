// <lost-seat>: says that a seat's token was replaced elsewhere, and takes the new one.

import { html, nothing } from "../../vendor/lit.js";
import { CREDENTIAL } from "../api/credential.js";
import { Part } from "../page/part.js";
import { keepSeat } from "../seats/seats.js";

class LostSeat extends Part {
  static properties = { view: { attribute: false }, held: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    /** @type {import("../seats/seats.js").HeldSeat | null} */
    this.held = null;
  }

  /** @param {SubmitEvent} event */
  enter(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const token = String(new FormData(form).get("token")).trim();
    if (!this.view || !this.held) return;
    keepSeat(this.view.matchId, { ...this.held, token, isStale: undefined });
    form.reset();
    // A token that is wrong is found out like the one before.
    location.reload();
  }

  render() {
    const { view, held } = this;
    if (!view || !held || view.status === "MATCH_STATUS_OVER") return nothing;
    const title = view.seats[held.seat]?.title ?? `Seat ${held.seat}`;
    return html`<section class="card lost-seat" role="status">
      <h2>You are watching</h2>
      <p>The token of ${title} in this browser is not valid any more: it was replaced elsewhere. Play on where
        that was done, or enter the new token here. If it was not you, ask the match's owner for another
        token.</p>
      <form class="row" @submit=${this.enter}>
        <label>New token of ${title}
          <input name="token" type="password" required maxlength="200" pattern=${CREDENTIAL}
            autocomplete="off" /></label>
        <button type="submit">Take the seat</button>
      </form>
    </section>`;
  }
}

customElements.define("lost-seat", LostSeat);
