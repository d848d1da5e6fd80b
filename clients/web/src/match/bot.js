// An opponent that this tab plays: the service suggests its moves. A failure is tried again for as long as
// the tab is open.

import { answerProposal, submitMove, suggestMove } from "../api/service.js";
import { wait } from "../api/call.js";

const MAX_WAIT_MS = 15_000;

/** Plays one seat of a match. */
export class Bot {
  #isBusy = false;
  #stopped = new AbortController();

  /** @param {string} matchId @param {import("../seats/seats.js").HeldSeat} held */
  constructor(matchId, held) {
    this.seat = held.seat;
    this.place = { matchId, token: held.token };
  }

  stop() {
    this.#stopped.abort();
  }

  /** Does what the position asks of the seat.
   * @param {() => import("../api/messages.js").View | null} newestView */
  async play(newestView) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let failures = 0; !this.#stopped.signal.aborted; ) {
      const view = newestView();
      const proposal = view?.proposals.find(({ seat }) => seat !== this.seat);
      if (!view || view.status === "MATCH_STATUS_OVER" || (!view.toAct.includes(this.seat) && !proposal))
        break;
      try {
        // It takes nothing back by itself, so it lets others; a draw it leaves to the board.
        if (proposal) await answerProposal(this.place, proposal.kind, proposal.kind.endsWith("TAKEBACK"));
        else await this.#move();
        failures = 0;
        await this.#untilNewer(view.seq, newestView);
      } catch {
        failures += 1;
        await wait(Math.min(MAX_WAIT_MS, 400 * 2 ** failures), this.#stopped.signal);
      }
    }
    this.#isBusy = false;
  }

  async #move() {
    const { notation, seq } = await suggestMove(this.place);
    if (!this.#stopped.signal.aborted) await submitMove(this.place, { notation, expectedSeq: seq });
  }

  /** @param {number} seq @param {() => import("../api/messages.js").View | null} newestView */
  async #untilNewer(seq, newestView) {
    for (let waited = 0; waited < 5000 && (newestView()?.seq ?? 0) <= seq; waited += 50) {
      await wait(50, this.#stopped.signal);
    }
  }
}
