/** What everyone can ask of a match, with or without a seat of it. */

import { type Calls, callsOver } from "./calls.js";
import type { CallOptions, Connection } from "./connection.js";
import { type ExportedLog, LogCursor } from "./exports.js";
import type { SignHeadResponse } from "./gen/matchbook/v1/log_service_pb.js";
import type { Match as MatchInfo, View } from "./gen/matchbook/v1/match_pb.js";
import { Viewer_Kind } from "./gen/matchbook/v1/viewer_pb.js";
import type { GetMatchResponse } from "./gen/matchbook/v1/viewing_pb.js";
import { pages } from "./paging.js";
import { resuming, Watch, type WatchOptions } from "./streams.js";
import { type LegalMove, LegalMoves, MatchEvent, present } from "./values.js";

/** One match with some credentials: the base of `Match` and `Seat`. */
export abstract class MatchReader {
  /** The match's ID, a UUID. */
  readonly matchId: string;
  /** The match as the call described it that returned this object; `undefined` if no call did. */
  readonly info: MatchInfo | undefined;
  #connection: Connection;
  #calls: Calls;

  /** @internal */
  constructor(connection: Connection, matchId: string, info: MatchInfo | undefined) {
    this.#connection = connection;
    this.#calls = callsOver(connection);
    this.matchId = matchId;
    this.info = info;
  }

  /** Every RPC of the service, with the credentials that this object has. */
  get calls(): Calls {
    return this.#calls;
  }

  /** @internal */
  get connection(): Connection {
    return this.#connection;
  }

  protected reconnect(connection: Connection): void {
    this.#connection = connection;
    this.#calls = callsOver(connection);
  }

  /** Returns the match: game, seats, status, result. */
  async get(options?: CallOptions): Promise<MatchInfo> {
    return present((await this.#getMatch(options)).match, "match");
  }

  /** Returns how many spectators watch the match on this replica of the service. */
  async countSpectators(options?: CallOptions): Promise<number> {
    return (await this.#getMatch(options)).spectatorCount;
  }

  #getMatch(options?: CallOptions): Promise<GetMatchResponse> {
    return this.calls.getMatch({ matchId: this.matchId }, options);
  }

  /**
   * Returns the position as the caller may see it, now or after the event `atSeq`.
   *
   * `openView` shows everything; the match must be over. `minSeq` has a replica that is behind catch up.
   */
  async view(
    wanted: { atSeq?: number; minSeq?: number; openView?: boolean } & CallOptions = {},
  ): Promise<View> {
    const { openView, signal, ...seqs } = wanted;
    const viewer = openView ? { viewer: { kind: Viewer_Kind.OPEN } } : {};
    const response = await this.calls.getView({ matchId: this.matchId, ...seqs, ...viewer }, { signal });
    return present(response.view, "view");
  }

  /**
   * Lists what a seat can do now, at most `limit` moves (10 000); by default the caller's own seat.
   *
   * Other seats can be listed only in games without secrets. Fails with `STALE_POSITION` if the position
   * changes between two pages.
   */
  async legalMoves(wanted: { seat?: number; limit?: number } & CallOptions = {}): Promise<LegalMoves> {
    const { signal, limit = 10_000 } = wanted;
    const request = { matchId: this.matchId, seat: wanted.seat };
    const moves: LegalMove[] = [];
    let pageToken = "";
    for (;;) {
      const pageSize = limit - moves.length;
      const page = await this.calls.listLegalMoves({ ...request, pageSize, pageToken }, { signal });
      for (const { notation, move } of page.moves) {
        moves.push({ notation, move: present(move, "move"), seq: page.seq });
      }
      pageToken = page.nextPageToken;
      if (pageToken === "" || moves.length >= limit) return new LegalMoves(moves, page);
    }
  }

  /** Lists the events up to the newest one, as the caller may see them. */
  async *events(
    wanted: { afterSeq?: number } & CallOptions = {},
  ): AsyncGenerator<MatchEvent, void, undefined> {
    const { signal, afterSeq = 0 } = wanted;
    const list = (request: { pageToken: string }) => this.calls.listEvents(request, { signal });
    for await (const page of pages(list, { matchId: this.matchId, afterSeq })) {
      yield* page.events.map((event) => new MatchEvent(event));
    }
  }

  /** Watches the match until it is over: each later event, once and in order. */
  watch(options: WatchOptions = {}): Watch {
    const source = { settings: this.#connection.settings, calls: this.calls, signal: options.signal };
    return new Watch(source, this.matchId, options);
  }

  /** Returns the service's signature on the newest event. */
  signHead(options: { minSeq?: number } & CallOptions = {}): Promise<SignHeadResponse> {
    const { signal, minSeq } = options;
    return this.calls.signHead({ matchId: this.matchId, minSeq }, { signal });
  }

  /** Returns the match's log, which `matchbook verify` checks without the service. */
  async export({ signal }: CallOptions = {}): Promise<ExportedLog> {
    const settings = this.#connection.settings;
    for await (const log of resuming(
      { settings, signal },
      this.calls.exportLog,
      new LogCursor(this.matchId),
    )) {
      return log;
    }
    throw new TypeError("the service sent an export without a head");
  }
}
