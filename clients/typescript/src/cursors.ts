/** How far a stream has been read, and so where the next one starts. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { StreamFeedRequestSchema, StreamFeedResponse } from "./gen/matchbook/v1/feed_pb.js";
import { MatchStatus, type View } from "./gen/matchbook/v1/match_pb.js";
import type { WatchMatchRequestSchema, WatchMatchResponse } from "./gen/matchbook/v1/watching_pb.js";
import { type FeedEvent, MatchEvent } from "./values.js";

/** What is read over as many streams as it takes: requests Q bring frames F, of which the reader sees T. */
export interface Cursor<Q, F, T> {
  /** Whether nothing follows the last frame received. */
  readonly isComplete: boolean;
  /** Returns the request for a stream behind the last frame received. */
  request(): Q;
  /** Records a frame as received and returns what the reader has yet to see of it. */
  receive(frame: F): T | undefined;
  /** Returns whether a frame proves that the stream works, so that failures count from zero again. */
  isProgress(frame: F): boolean;
}

type WatchRequest = MessageInitShape<typeof WatchMatchRequestSchema>;

/** How far a match has been watched. */
export class WatchCursor implements Cursor<WatchRequest, WatchMatchResponse, MatchEvent> {
  isComplete = false;
  /** The position where the watch began. */
  startView: View | undefined;
  spectators: number | undefined;
  readonly #matchId: string;
  readonly #views: boolean;

  constructor(
    matchId: string,
    /** The last event received, or where the caller wants to start. */
    public seq: number | undefined,
    /** The hash of that event, if it was received. */
    public hash: Uint8Array | undefined,
    views: boolean,
  ) {
    if (hash !== undefined && !seq) {
      throw new TypeError("afterHash is the hash of the event at afterSeq, which must be above 0");
    }
    this.#matchId = matchId;
    this.#views = views;
  }

  request(): WatchRequest {
    return { matchId: this.#matchId, includeView: this.#views, afterSeq: this.seq, afterHash: this.hash };
  }

  receive(frame: WatchMatchResponse): MatchEvent | undefined {
    if (frame.frame.case === "start") {
      const { headSeq, afterHash } = frame.frame.value;
      const seq = frame.view?.seq ?? 0;
      this.isComplete = frame.view?.status === MatchStatus.OVER && seq >= headSeq;
      this.seq ??= seq;
      if (this.seq === seq && afterHash.length > 0) this.hash = afterHash;
      this.startView ??= frame.view;
    } else if (frame.frame.case === "heartbeat") {
      this.spectators = frame.frame.value.spectatorCount;
    } else if (frame.frame.case === "event") {
      const event = frame.frame.value;
      this.isComplete = event.kind.case === "matchEnded";
      if (event.seq <= (this.seq ?? 0)) return undefined;
      this.seq = event.seq;
      this.hash = event.hash;
      return new MatchEvent(event, frame);
    }
    return undefined;
  }

  isProgress(frame: WatchMatchResponse): boolean {
    // A service that sends the start and breaks off each time makes no progress.
    return frame.frame.case === "event" || frame.frame.case === "heartbeat";
  }
}

type FeedRequest = MessageInitShape<typeof StreamFeedRequestSchema>;

/** How far the feed of all matches has been read. */
export class FeedCursor implements Cursor<FeedRequest, StreamFeedResponse, FeedEvent> {
  isComplete = false;
  readonly #follow: boolean;

  constructor(
    /** The position after the last frame received. */
    public cursor: string,
    follow: boolean,
  ) {
    this.#follow = follow;
  }

  request(): FeedRequest {
    return { after: this.cursor, follow: this.#follow };
  }

  receive(frame: StreamFeedResponse): FeedEvent | undefined {
    this.cursor = frame.cursor;
    if (frame.frame.case === "heartbeat") this.isComplete = frame.frame.value.caughtUp && !this.#follow;
    if (frame.frame.case !== "event" || frame.frame.value.event === undefined) return undefined;
    const { matchId, event } = frame.frame.value;
    return { matchId, event, cursor: frame.cursor };
  }

  isProgress(): boolean {
    return true;
  }
}
