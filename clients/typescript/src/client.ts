/** The client of a service, on either transport. */

import { create } from "@bufbuild/protobuf";
import { type Calls, callsOver } from "./calls.js";
import { type CallOptions, Connection, type OpenTransport } from "./connection.js";
import { type ExportedLog, LogsCursor, type SkippedLog } from "./exports.js";
import type { Game } from "./gen/matchbook/v1/game_pb.js";
import type { SigningKey } from "./gen/matchbook/v1/log_service_pb.js";
import type { Match as MatchInfo } from "./gen/matchbook/v1/match_pb.js";
import { SeatClaimSchema } from "./gen/matchbook/v1/seating_pb.js";
import { Match, type TokenOptions } from "./match.js";
import { pages } from "./paging.js";
import { newClaimSecret } from "./random.js";
import { type CreateOptions, creating, filtering, type MatchFilter } from "./requests.js";
import type { Seat } from "./seat.js";
import { keyHeaders, type MatchbookOptions, type Settings, settingsOf } from "./settings.js";
import { Feed, resuming } from "./streams.js";
import { present } from "./values.js";
import { Webhooks } from "./webhook_calls.js";

/** A client of a service. It connects with the first call, and shares nothing with other clients. */
export class Client {
  readonly #connection: Connection;
  /** Every RPC of the service, with this client's credentials. */
  readonly calls: Calls;
  /** The calls about webhooks. */
  readonly webhooks: Webhooks;

  /** @internal */
  constructor(options: MatchbookOptions, open: (settings: Settings) => OpenTransport) {
    const settings = settingsOf(options);
    this.#connection = new Connection(settings, open(settings), keyHeaders(options.apiKey));
    this.calls = callsOver(this.#connection);
    this.webhooks = new Webhooks(this.calls);
  }

  /** The service's URL. */
  get url(): string {
    return this.#connection.settings.url;
  }

  /** Closes the connection; open calls and streams fail. */
  close(): void {
    this.#connection.close();
  }

  /** Lists the games of the service. */
  async *games({ signal }: CallOptions = {}): AsyncGenerator<Game, void, undefined> {
    const list = (request: { pageToken: string }) => this.calls.listGames(request, { signal });
    for await (const page of pages(list, {})) yield* page.games;
  }

  /** Returns one game with the text of its rules. */
  async game(gameId: string, options?: CallOptions): Promise<Game> {
    return present((await this.calls.getGame({ gameId }, options)).game, "game");
  }

  /**
   * Creates a match.
   *
   * @example
   * const timeControl = perMove(30_000);
   * await client.createMatch("angels-and-demons", { options: { rows: 4, cols: 4 }, timeControl });
   */
  async createMatch<G extends string>(gameId: G, terms: CreateOptions<G> = {}): Promise<Match> {
    const response = await this.calls.createMatch(creating(gameId, terms), { signal: terms.signal });
    const made = present(response.match, "match");
    return new Match(this.#connection, made.matchId, made);
  }

  /** Creates a match of a game without chance and claims a seat in the same call. */
  async createAndClaim<G extends string>(
    gameId: G,
    seat: number,
    name: string,
    terms: CreateOptions<G> & TokenOptions & { playerId?: string } = {},
  ): Promise<Seat> {
    const { claimSecret = newClaimSecret(), playerId, ...others } = terms;
    const player = { displayName: name, playerId };
    const claim = create(SeatClaimSchema, { seat, player, claimSecret });
    const request = creating(gameId, others as CreateOptions<G>, claim);
    const response = await this.calls.createMatch(request, { signal: terms.signal });
    const made = present(response.match, "match");
    return new Match(this.#connection, made.matchId, made).seat(response.seatToken, seat, made);
  }

  /** Returns a match by its ID. Nothing is sent. */
  match(matchId: string): Match {
    return new Match(this.#connection, matchId);
  }

  /** Returns a seat by its match and token. Nothing is sent. */
  seat(matchId: string, token: string, seat?: number): Seat {
    return this.match(matchId).seat(token, seat);
  }

  /** Lists matches, newest first. */
  async *matches(
    filter: MatchFilter = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<MatchInfo, void, undefined> {
    const list = (request: { pageToken: string }) => this.calls.listMatches(request, { signal });
    for await (const page of pages(list, filtering(filter))) yield* page.matches;
  }

  /** Returns up to 100 matches by their IDs, or refuses all. */
  async getMatches(matchIds: string[], options?: CallOptions): Promise<MatchInfo[]> {
    return (await this.calls.batchGetMatches({ matchIds }, options)).matches;
  }

  /** Lists the public keys that the service signs with or has signed with. */
  async *keys({ signal }: CallOptions = {}): AsyncGenerator<SigningKey, void, undefined> {
    const list = (request: { pageToken: string }) => this.calls.listKeys(request, { signal });
    for await (const page of pages(list, {})) yield* page.keys;
  }

  /**
   * Reads the events of all matches that the caller may read, after a cursor or from the first one.
   *
   * Without `follow` it ends once it has delivered all events up to now.
   */
  feed({ after = "", follow = true, signal }: { after?: string; follow?: boolean } & CallOptions = {}): Feed {
    return new Feed({ settings: this.#connection.settings, calls: this.calls, signal }, after, follow);
  }

  /** Exports the logs of many matches, newest first, one log after the other; a cut line is no gap. */
  exportMatches(
    filter: MatchFilter = {},
    { pageToken = "", signal }: { pageToken?: string } & CallOptions = {},
  ): AsyncGenerator<ExportedLog | SkippedLog, void, undefined> {
    const cursor = new LogsCursor(filtering(filter), pageToken);
    return resuming({ settings: this.#connection.settings, signal }, this.calls.exportMatches, cursor);
  }
}
