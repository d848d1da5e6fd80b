// One match as one viewer sees it: the newest position, all events so far, and the connection.

import { listEvents, getMatch } from "../api/service.js";
import { Watch } from "../api/watch.js";
import { learnServerTime } from "../time/server_time.js";

/** @typedef {import("../api/messages.js").View} View */
/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */
/** @typedef {"connecting" | "live" | "lost" | "ended"} Connection */

/** The names of event kinds after which answers to questions about a move are void. */
const CHANGES_POSITION = ["matchStarted", "matchForked", "moveMade", "turnRevealed", "matchEnded"];

/** Whether an event makes questions about a move stale. @param {MatchEvent} event */
export const changesPosition = (event) =>
  CHANGES_POSITION.some((kind) => kind in event) || (event.proposalAnswered?.movesTakenBack ?? 0) > 0;

/** A session tells `change` whenever something it holds changes, and `happened` with each new event. */
export class Session extends EventTarget {
  /** @type {import("../api/messages.js").Match | null} */
  match = null;
  /** @type {View | null} */
  view = null;
  /** The events by their seq, less one. @type {MatchEvent[]} */
  events = [];
  /** Seq of the newest event that was known when a sealed choice arrived, by the choice's seq.
   * @type {Map<number, number>} */
  seenAt = new Map();
  /** Seq of the newest event after which a move is another move. */
  positionSeq = 0;
  /** @type {Connection} */
  connection = "connecting";
  /** Why the match cannot be shown. @type {import("../api/refusal.js").Refusal | null} */
  failure = null;
  spectators = 0;
  #watch;
  #isClosed = false;

  /** @param {string} matchId
   * @param {{seat: number, token: string} | null} seat the seat that sees, or a spectator */
  constructor(matchId, seat) {
    super();
    this.seat = seat?.seat ?? null;
    this.place = { matchId, token: seat?.token };
    this.#watch = new Watch(this.place, {
      frame: (frame) => this.#receive(frame),
      connected: (isConnected) => this.#connect(isConnected),
      reset: () => this.#reset(),
      failed: (refusal) => this.#fail(refusal),
    });
    this.wake = () => document.visibilityState === "visible" && this.#watch.wake(16_000);
  }

  /** Starts to watch. */
  open() {
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.#watch.start().then(() => this.#end());
    this.#readMatch();
  }

  /** Connects anew at once. */
  reconnect() {
    this.#watch.wake(0);
  }

  close() {
    this.#isClosed = true;
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    this.#watch.stop();
  }

  /** Whether all events up to the newest are here. */
  get isComplete() {
    return (
      this.view !== null &&
      this.events.length >= this.view.seq &&
      !this.events.includes(/** @type {any} */ (undefined))
    );
  }

  async #readMatch() {
    try {
      this.match = await getMatch(this.place);
      this.#changed();
    } catch (error) {
      this.#fail(/** @type {import("../api/refusal.js").Refusal} */ (error));
    }
  }

  /** @param {import("../api/messages.js").Frame} frame */
  #receive(frame) {
    if (this.#isClosed) return;
    learnServerTime(frame.serverTime);
    if (frame.view) this.view = frame.view;
    if (frame.start && this.view && !this.isComplete) this.#readEvents(this.view.seq);
    if (frame.heartbeat) this.spectators = frame.heartbeat.spectatorCount;
    if (frame.event) this.#add(frame.event, true);
    const { event } = frame;
    // With a token that was replaced, the match is refused.
    const isOwnToken = event?.seatTokenRotated && event.seatTokenRotated.seat === this.seat;
    if (event?.matchStarted || event?.matchEnded || isOwnToken) this.#readMatch();
    this.#changed();
  }

  /** @param {MatchEvent} event @param {boolean} isNew */
  #add(event, isNew) {
    this.events[event.seq - 1] = event;
    if (event.moveSealed) this.seenAt.set(event.seq, Math.max(event.seq, this.view?.seq ?? 0));
    if (changesPosition(event)) this.positionSeq = Math.max(this.positionSeq, event.seq);
    if (isNew) this.dispatchEvent(new CustomEvent("happened", { detail: event }));
  }

  /** Reads the events up to the position that the watch started with. @param {number} head */
  async #readEvents(head) {
    try {
      for (let pageToken = ""; ; ) {
        const page = await listEvents(this.place, { afterSeq: 0, pageToken: pageToken || undefined });
        if (this.#isClosed) return;
        for (const event of page.events) if (event.seq <= head) this.#add(event, false);
        pageToken = page.nextPageToken;
        if (!pageToken || (page.events.at(-1)?.seq ?? head) >= head) return this.#changed();
      }
    } catch (error) {
      this.#fail(/** @type {import("../api/refusal.js").Refusal} */ (error));
    }
  }

  /** @param {boolean} isConnected */
  #connect(isConnected) {
    if (this.#isClosed) return;
    this.connection = isConnected ? "live" : "lost";
    this.#changed();
  }

  #reset() {
    this.events = [];
    this.view = null;
    this.positionSeq = 0;
    this.#changed();
  }

  #end() {
    if (this.#isClosed || this.failure) return;
    this.connection = "ended";
    this.#changed();
  }

  /** @param {import("../api/refusal.js").Refusal} refusal */
  #fail(refusal) {
    if (this.#isClosed) return;
    this.failure = refusal;
    this.#changed();
  }

  #changed() {
    if (!this.#isClosed) this.dispatchEvent(new Event("change"));
  }
}
