// <free-seats>: takes a free seat of an open match, and shows the link for the other player.

import { html, nothing } from "../../vendor/lit.js";
import { explain } from "../api/refusal.js";
import { Part } from "../page/part.js";
import { lastName, rememberName, takeSeat } from "../seats/seats.js";

class FreeSeats extends Part {
  static properties = {
    view: { attribute: false },
    held: { attribute: false },
    tokensBefore: { attribute: false },
    refusal: { state: true },
    isBusy: { state: true },
    wasCopied: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    /** @type {import("../seats/seats.js").HeldSeat[]} */
    this.held = [];
    /** The tokens of this browser in the match before, if this is a rematch.
     * @type {Record<number, string>} */
    this.tokensBefore = {};
    this.refusal = "";
    this.isBusy = false;
    this.wasCopied = false;
  }

  /** @param {SubmitEvent} event */
  async take(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const name = String(form.get("name")).trim();
    const seat = Number(/** @type {HTMLButtonElement} */ (event.submitter).value);
    if (!this.view) return;
    [this.isBusy, this.refusal] = [true, ""];
    rememberName(name);
    try {
      await takeSeat(this.view.matchId, seat, { name, player: "person", token: this.tokensBefore[1 - seat] });
      this.tell("seated");
    } catch (error) {
      this.refusal = explain(error);
    } finally {
      this.isBusy = false;
    }
  }

  async copy() {
    const link = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(link);
      this.wasCopied = true;
    } catch {
      /** @type {HTMLInputElement | null} */ (this.querySelector("input[readonly]"))?.select();
    }
  }

  render() {
    const free = this.view?.seats.filter(({ claimed }) => !claimed) ?? [];
    if (!this.view || free.length === 0) return nothing;
    return html`
      <section class="card">
        ${this.held.length === 0 ? this.takeForm(free) : html`<h2>Invite the other player</h2>`}
        <p class="refusal" role="alert">${this.refusal}</p>
        <label>Link to this match <input readonly .value=${location.origin + location.pathname} /></label>
        <p class="buttons"><button type="button" @click=${this.copy}
          >${this.wasCopied ? "Copied" : "Copy the link"}</button></p>
      </section>`;
  }

  /** @param {import("../api/messages.js").SeatStatus[]} free */
  takeForm(free) {
    return html`<h2>Take a seat</h2>
      <form @submit=${this.take}>
        <label>Your name <input name="name" required maxlength="40" autocomplete="nickname"
          .value=${lastName()} /></label>
        <p class="buttons">${free.map(({ seat, title }) => html`<button type="submit" class="primary"
          value=${seat} ?disabled=${this.isBusy}>Play ${title}</button>`)}</p>
      </form>`;
  }
}

customElements.define("free-seats", FreeSeats);
