// A match as it happens: its events once and in order, over lost connections, restarts and sleep.

import { send, wait } from "./call.js";
import { linesOf } from "./lines.js";
import { Refusal, refusalIn, unreachable } from "./refusal.js";

/** @typedef {import("./messages.js").Frame} Frame */

/** After this time without a frame the connection counts as lost: heartbeats come every 15 seconds. */
const MAX_SILENCE_MS = 40_000;

const MAX_WAIT_MS = 4000;

/** A watch of one match by one viewer. */
export class Watch {
  #stopped = new AbortController();
  /** @type {AbortController | null} */
  #connection = null;
  #lastFrameMs = 0;
  #lastSeq = 0;
  #lastHash = "";
  #isOver = false;

  /**
   * @param {{matchId: string, token?: string}} place
   * @param {{frame: (frame: Frame) => void, connected: (isConnected: boolean) => void, reset: () => void,
   *   failed: (refusal: Refusal) => void}} listener `reset`: what was shown before is no longer true
   */
  constructor(place, listener) {
    this.place = place;
    this.listener = listener;
  }

  /** Watches until the match is over or `stop` is called. */
  async start() {
    const timer = setInterval(() => this.wake(MAX_SILENCE_MS), 5000);
    for (let failures = 0; !this.#stopped.signal.aborted && !this.#isOver; ) {
      try {
        await this.#connect(() => {
          failures = 0;
          this.listener.connected(true);
        });
      } catch (error) {
        if (this.#stopped.signal.aborted) break;
        const refusal = error instanceof Refusal ? error : unreachable();
        if (refusal.reason === "HISTORY_CHANGED") this.#restart();
        else if (!refusal.isTemporary) {
          this.listener.failed(refusal);
          break;
        }
      }
      if (this.#isOver || this.#stopped.signal.aborted) break;
      this.listener.connected(false);
      failures += 1;
      await wait(Math.min(MAX_WAIT_MS, 100 * 2 ** failures), this.#stopped.signal);
    }
    clearInterval(timer);
  }

  /** Stops for good. */
  stop() {
    this.#stopped.abort();
    this.#connection?.abort();
  }

  /** Connects anew if nothing has arrived for a while, as after sleep. @param {number} maxSilenceMs */
  wake(maxSilenceMs) {
    if (performance.now() - this.#lastFrameMs > maxSilenceMs) this.#connection?.abort();
  }

  #restart() {
    this.#lastSeq = 0;
    this.#lastHash = "";
    this.listener.reset();
  }

  /** @param {() => void} answered the first frame has come: before that, anything may have answered */
  async #connect(answered) {
    this.#connection = new AbortController();
    this.#lastFrameMs = performance.now();
    const after =
      this.#lastSeq === 0 ? {} : { afterSeq: this.#lastSeq, afterHash: this.#lastHash || undefined };
    const path = `/v1/matches/${encodeURIComponent(this.place.matchId)}/watch`;
    const query = { includeView: true, ...after };
    const response = await send(path, { token: this.place.token, query, signal: this.#connection.signal });
    if (!response.body) throw unreachable();
    let isAnswered = false;
    for await (const lines of linesOf(response.body)) {
      for (const line of lines) this.#receive(JSON.parse(line));
      if (!isAnswered && lines.length > 0) answered();
      isAnswered ||= lines.length > 0;
    }
  }

  /** @param {Frame} frame */
  #receive(frame) {
    this.#lastFrameMs = performance.now();
    if (frame.error) throw refusalIn(frame.error, null);
    if (frame.start) {
      if (this.#lastSeq === 0) [this.#lastSeq, this.#lastHash] = [frame.start.headSeq, frame.start.afterHash];
    } else if (frame.event) {
      if (frame.event.seq <= this.#lastSeq) return;
      [this.#lastSeq, this.#lastHash] = [frame.event.seq, frame.event.hash];
    }
    if (frame.view?.status === "MATCH_STATUS_OVER") this.#isOver = true;
    this.listener.frame(frame);
  }
}
