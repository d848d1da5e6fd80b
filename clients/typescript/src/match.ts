/** One match, without a seat of it. */

import { create } from "@bufbuild/protobuf";
import type { CallOptions, Connection } from "./connection.js";
import type { TimeControl } from "./gen/matchbook/v1/clock_pb.js";
import { type Match as MatchInfo, Visibility } from "./gen/matchbook/v1/match_pb.js";
import { PlayerSchema } from "./gen/matchbook/v1/player_pb.js";
import { MatchReader } from "./match_reader.js";
import { newClaimSecret, randomBytes } from "./random.js";
import { enumValue, type VisibilityName } from "./requests.js";
import { Seat } from "./seat.js";
import { tokenHeaders } from "./settings.js";
import { present } from "./values.js";

/** How a seat's token is obtained so that the call can be repeated after this process has ended. */
export interface TokenOptions extends CallOptions {
  /** A UUID; keep it and the secret to repeat the call. */
  readonly requestId?: string | undefined;
  /** With this secret a repetition returns the token again; by default a random one. */
  readonly claimSecret?: string | undefined;
}

/** Who claims a seat, and how. */
export interface ClaimOptions extends TokenOptions {
  /** The app's ID of the player. */
  readonly playerId?: string | undefined;
  /** The player's contribution to the deal, 0 to 64 bytes; by default 32 random ones. */
  readonly entropy?: Uint8Array | undefined;
  /** The player's seat of the match before: the seats of a rematch are reserved. */
  readonly previous?: Seat | undefined;
}

/** The terms of a fork. */
export interface ForkOptions extends CallOptions {
  /** The position, by default the last one in play. */
  readonly atSeq?: number | undefined;
  readonly timeControl?: TimeControl | undefined;
  readonly visibility?: VisibilityName | undefined;
  readonly requestId?: string | undefined;
}

/** One match, as everyone sees it who holds none of its seats. */
export class Match extends MatchReader {
  readonly #previous: Seat | undefined;

  /** @internal */
  constructor(connection: Connection, matchId: string, info?: MatchInfo, previous?: Seat) {
    super(connection, matchId, info);
    this.#previous = previous;
  }

  /**
   * Claims a free seat for a player; the last claim starts the match.
   *
   * A rematch that `seat.rematch` returned knows the player's seat of the match before.
   */
  async claim(seat: number, name: string, options: ClaimOptions = {}): Promise<Seat> {
    const {
      signal,
      requestId,
      claimSecret = newClaimSecret(),
      entropy = randomBytes(32),
      playerId,
    } = options;
    const player = create(PlayerSchema, { displayName: name, playerId });
    const request = { matchId: this.matchId, seat, player, entropy, claimSecret, requestId };
    const calls = (options.previous ?? this.#previous)?.calls ?? this.calls;
    const response = await calls.claimSeat(request, { signal });
    return this.seat(response.seatToken, seat, response.match);
  }

  /** Returns the seat that a token authenticates. Nothing is sent. */
  seat(token: string, seat?: number, info?: MatchInfo): Seat {
    return new Seat(this.connection, tokenHeaders(token), token, this.matchId, seat, info);
  }

  /** Replaces a seat's token; the old one becomes void. Requires the owner's API key. */
  async rotateToken(seat: number, options: TokenOptions = {}): Promise<Seat> {
    const { signal, requestId, claimSecret = newClaimSecret() } = options;
    const request = { matchId: this.matchId, seat, claimSecret, requestId };
    const response = await this.calls.rotateSeatToken(request, { signal });
    return this.seat(response.seatToken, seat, response.match);
  }

  /** Erases the player of a seat: name, ID, and all else that the service keeps of who holds it. */
  async redactPlayer(seat: number, options?: CallOptions): Promise<MatchInfo> {
    const response = await this.calls.redactPlayer({ matchId: this.matchId, seat }, options);
    return present(response.match, "match");
  }

  /** Replaces the labels of the match. Requires the owner's API key. */
  async setLabels(labels: Record<string, string>, options?: CallOptions): Promise<MatchInfo> {
    const request = { matchId: this.matchId, labels, updateMask: { paths: ["labels"] } };
    return present((await this.calls.updateMatchLabels(request, options)).match, "match");
  }

  /** Creates a match that continues from a position of this one. */
  async fork(options: ForkOptions = {}): Promise<Match> {
    const { signal, visibility: name, ...others } = options;
    const visibility = name === undefined ? undefined : enumValue(Visibility, name);
    const request = { matchId: this.matchId, ...others, visibility };
    const made = present((await this.calls.forkMatch(request, { signal })).match, "match");
    return new Match(this.connection, made.matchId, made);
  }

  /** Creates a rematch with seats swapped. Requires the owner's API key, or a seat: `seat.rematch`. */
  async rematch(options: { rulesVersion?: number; requestId?: string } & CallOptions = {}): Promise<Match> {
    const { signal, ...others } = options;
    const response = await this.calls.createRematch({ matchId: this.matchId, ...others }, { signal });
    const made = present(response.match, "match");
    return new Match(this.connection, made.matchId, made);
  }
}
