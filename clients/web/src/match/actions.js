// <match-actions>: what a seat can do besides moving: draw, takeback, resignation, abort, rematch.

import { html, nothing } from "../../vendor/lit.js";
import {
  abortMatch,
  answerProposal,
  createRematch,
  newRequestId,
  newSecret,
  propose,
  resign,
} from "../api/service.js";
import { explain, isBadToken } from "../api/refusal.js";
import { Part } from "../page/part.js";
import { keepSeat, takeSeat } from "../seats/seats.js";
import { keep, load } from "../storage/storage.js";

/** @typedef {import("../seats/seats.js").HeldSeat} HeldSeat */

const DRAW = "PROPOSAL_KIND_DRAW";
const TAKEBACK = "PROPOSAL_KIND_TAKEBACK";
const NAMES = /** @type {Record<string, string>} */ ({
  [DRAW]: "a draw",
  [TAKEBACK]: "to take back the last move",
});

class MatchActions extends Part {
  static properties = {
    view: { attribute: false },
    game: { attribute: false },
    match: { attribute: false },
    held: { attribute: false },
    seat: { attribute: false },
    hasMoves: { attribute: false },
    refusal: { state: true },
    asked: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    /** @type {import("../api/messages.js").Game | null} */
    this.game = null;
    /** @type {import("../api/messages.js").Match | null} */
    this.match = null;
    /** All seats held here. @type {HeldSeat[]} */
    this.held = [];
    /** The seat that acts. @type {HeldSeat | null} */
    this.seat = null;
    /** Whether anything was played. */
    this.hasMoves = false;
    this.refusal = "";
    /** What waits for a second click. */
    this.asked = "";
  }

  /** @param {(place: import("../api/service.js").Place) => Promise<unknown>} action */
  async act(action) {
    if (!this.seat || !this.view) return;
    this.refusal = "";
    this.asked = "";
    try {
      await action({ matchId: this.view.matchId, token: this.seat.token });
    } catch (error) {
      if (isBadToken(error)) this.tell("badtoken");
      this.refusal = explain(error);
    }
  }

  /** Creates the rematch, or finds the one that the other seat created, and takes this browser's seats in
   * it. */
  rematch() {
    return this.act(async () => {
      const old = /** @type {import("../api/messages.js").View} */ (this.view);
      let matchId = "";
      for (const held of this.held) {
        // One proof for all tries: a lost answer does not lose the seat.
        const proof = storedProof(old.matchId, held.seat);
        const made = await createRematch({ matchId: old.matchId, token: held.token }, proof);
        matchId = made.match.matchId;
        const { name, player } = held;
        if (made.seatToken) keepSeat(matchId, { seat: made.seat, name, player, token: made.seatToken });
        else await takeSeat(matchId, made.seat, { name, player, token: held.token });
      }
      if (matchId) location.assign(`/matches/${matchId}`);
    });
  }

  render() {
    const { view, seat } = this;
    if (!view || !seat) return nothing;
    return html`
      ${view.proposals.map((proposal) => this.openProposal(proposal))}
      <div class="buttons actions">${view.status === "MATCH_STATUS_OVER"
        ? this.afterwards()
        : this.meanwhile(view)}</div>
      <p class="refusal" role="alert">${this.refusal}</p>`;
  }

  /** @param {import("../api/messages.js").Proposal} proposal */
  openProposal({ kind, seat }) {
    const by = this.view?.seats[seat]?.title ?? "The other seat";
    const sentence = html`<p>${by} proposes ${NAMES[kind] ?? "something"}.</p>`;
    // With both seats here, whoever sits at the device answers for the other seat.
    const other = this.held.find((held) => held.seat !== seat && held.player === "person");
    if (!other) return html`<div class="proposal">${sentence}</div>`;
    const answer = (/** @type {boolean} */ accept) => () =>
      this.act(({ matchId }) => answerProposal({ matchId, token: other.token }, kind, accept));
    return html`<div class="proposal">
      ${sentence}
      <p class="buttons">
        <button type="button" class="primary" @click=${answer(true)}>Accept</button>
        <button type="button" @click=${answer(false)}>Decline</button>
      </p>
    </div>`;
  }

  /** @param {import("../api/messages.js").View} view */
  meanwhile(view) {
    const isRunning = view.status === "MATCH_STATUS_RUNNING";
    const canTakeBack = !this.game?.hasSecrets && !this.game?.hasChance && !this.match?.forbidTakebacks;
    return html`
      ${isRunning ? html`
        <button type="button" @click=${() => this.act((place) => propose(place, DRAW))}>Offer a draw</button>
        ${canTakeBack ? html`<button type="button"
          @click=${() => this.act((place) => propose(place, TAKEBACK))}>Ask to take back</button>` : nothing}
        ${this.twice("Resign", resign)}` : nothing}
      ${this.hasMoves || (isRunning && this.game?.hasChance) ? nothing : this.twice("Abort", abortMatch)}`;
  }

  /** A button that asks before it acts.
   * @param {string} name @param {(place: import("../api/service.js").Place) => Promise<unknown>} action */
  twice(name, action) {
    if (this.asked !== name) {
      return html`<button type="button" @click=${() => (this.asked = name)}>${name}</button>`;
    }
    return html`
      <button type="button" class="danger" @click=${() => this.act(action)}>${name} for good</button>
      <button type="button" @click=${() => (this.asked = "")}>Play on</button>`;
  }

  afterwards() {
    return html`<button type="button" class="primary" @click=${this.rematch}>Rematch</button>`;
  }
}

/** Returns the proof with which a seat asks for its rematch, always the same.
 * @param {string} matchId @param {number} seat
 * @returns {{requestId: string, claimSecret: string}} */
const storedProof = (matchId, seat) => {
  const key = `matchbook.rematch.${matchId}.${seat}`;
  const stored = load(key) ?? JSON.stringify({ requestId: newRequestId(), claimSecret: newSecret() });
  keep(key, stored);
  return JSON.parse(stored);
};

customElements.define("match-actions", MatchActions);
