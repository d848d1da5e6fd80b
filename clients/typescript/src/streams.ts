/** Streams that reopen themselves where they broke. */

import type { Calls } from "./calls.js";
import type { CallOptions } from "./connection.js";
import { type Cursor, FeedCursor, WatchCursor } from "./cursors.js";
import { Unreachable } from "./errors.js";
import type { View } from "./gen/matchbook/v1/match_pb.js";
import { Backoff, sleep } from "./retry.js";
import type { Settings } from "./settings.js";
import { errorOf } from "./status.js";
import type { FeedEvent, MatchEvent } from "./values.js";

/** What a stream needs: how to retry, the RPCs, and perhaps a signal that ends it. */
export interface Source extends CallOptions {
  readonly settings: Settings;
  readonly calls: Calls;
}

type Open<Q, F> = (request: Q, options: CallOptions) => AsyncIterable<F>;

/** Reads what a cursor asks for, over as many streams as it takes. */
export async function* resuming<Q, F, T>(
  { settings, signal }: Pick<Source, "settings" | "signal">,
  open: Open<Q, F>,
  cursor: Cursor<Q, F, T>,
): AsyncGenerator<T, void, undefined> {
  const backoff = new Backoff(settings.retry);
  while (!cursor.isComplete) {
    let broken: unknown = new Unreachable(settings.url, "the service closed the stream");
    try {
      for await (const frame of open(cursor.request(), { signal })) {
        if (cursor.isProgress(frame)) backoff.reset();
        const seen = cursor.receive(frame);
        if (seen !== undefined) yield seen;
        if (cursor.isComplete) return;
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      broken = thrown;
    }
    const error = errorOf(broken, settings.url);
    const delayMs = error.isTransient ? backoff.afterFailure(error.retryAfterMs) : undefined;
    if (delayMs === undefined) throw error;
    await sleep(delayMs, signal);
  }
}

/** Where a watch starts, and what it shows. */
export interface WatchOptions extends CallOptions {
  /** Starts after this event; 0 starts with the first one. By default, with what happens next. */
  readonly afterSeq?: number | undefined;
  /** The hash of the event at `afterSeq`: if the database lost it, the watch throws `HISTORY_CHANGED`. */
  readonly afterHash?: Uint8Array | undefined;
  /** Whether each event comes with the position after it. */
  readonly views?: boolean | undefined;
}

/**
 * The events of a match, each once and in order, until it is over.
 *
 * It reconnects behind the last event received. A loop that was left by `break`, an abort or an error goes on
 * there too when the watch is iterated again, except after `HISTORY_CHANGED`: then start a new watch from the
 * first event. One loop at a time reads it.
 */
export class Watch implements AsyncIterable<MatchEvent> {
  readonly #source: Source;
  readonly #cursor: WatchCursor;

  /** @internal */
  constructor(source: Source, matchId: string, { afterSeq, afterHash, views = false }: WatchOptions) {
    this.#source = source;
    this.#cursor = new WatchCursor(matchId, afterSeq, afterHash, views);
  }

  /** Seq of the last event received, to resume with later as `afterSeq`. */
  get seq(): number | undefined {
    return this.#cursor.seq;
  }

  /** Hash of that event, to resume with later as `afterHash`; `undefined` if it was not received. */
  get hash(): Uint8Array | undefined {
    return this.#cursor.hash;
  }

  /** The position where the watch began; `undefined` until then, and if it began before the first event. */
  get startView(): View | undefined {
    return this.#cursor.startView;
  }

  /** Number of spectators that watch the match, as the last heartbeat said. */
  get spectators(): number | undefined {
    return this.#cursor.spectators;
  }

  [Symbol.asyncIterator](): AsyncGenerator<MatchEvent, void, undefined> {
    return resuming(this.#source, this.#source.calls.watchMatch, this.#cursor);
  }
}

/** The events of all matches that the caller may read, in one order, each once. Resumes as a watch does. */
export class Feed implements AsyncIterable<FeedEvent> {
  readonly #source: Source;
  readonly #cursor: FeedCursor;

  /** @internal */
  constructor(source: Source, after: string, follow: boolean) {
    this.#source = source;
    this.#cursor = new FeedCursor(after, follow);
  }

  /** The position after the last frame received, to continue from later. */
  get cursor(): string {
    return this.#cursor.cursor;
  }

  [Symbol.asyncIterator](): AsyncGenerator<FeedEvent, void, undefined> {
    return resuming(this.#source, this.#source.calls.streamFeed, this.#cursor);
  }
}
