/** One seat of one match. */

import type { CallOptions, Connection } from "./connection.js";
import type { Question } from "./gen/matchbook/v1/choice_pb.js";
import type { Refusal } from "./gen/matchbook/v1/error_pb.js";
import type { Match as MatchInfo } from "./gen/matchbook/v1/match_pb.js";
import { type GetChoicesResponse, type Prospects, Strategy } from "./gen/matchbook/v1/moves_pb.js";
import { ProposalKind } from "./gen/matchbook/v1/proposal_pb.js";
import { Match, type TokenOptions } from "./match.js";
import { MatchReader } from "./match_reader.js";
import { newClaimSecret } from "./random.js";
import { enumValue, moveInput, type Playable, type ProposalName, type StrategyName } from "./requests.js";
import { type Headers, tokenHeaders } from "./settings.js";
import { Change, type LegalMove, present } from "./values.js";

/** What every change of a seat takes. */
export interface ChangeOptions extends CallOptions {
  /** A UUID with which the call can be repeated later, also from another process; by default a random one. */
  readonly requestId?: string | undefined;
}

/** One seat of a match. Every change carries a `request_id`, so it is repeated safely. */
export class Seat extends MatchReader {
  readonly #app: Connection;
  // Private, so that no console shows it.
  #token: string;
  #seat: number | undefined;

  /** @internal */
  constructor(
    app: Connection,
    headers: Headers,
    token: string,
    matchId: string,
    seat: number | undefined,
    info: MatchInfo | undefined,
  ) {
    super(app.with(headers), matchId, info);
    this.#app = app;
    this.#token = token;
    this.#seat = seat;
  }

  /** The secret that authenticates the seat. Store it to play on in another process. */
  get token(): string {
    return this.#token;
  }

  /** The seat, from 0; `undefined` if only the token is known. */
  get seat(): number | undefined {
    return this.#seat;
  }

  /**
   * Makes a move, given in the game's notation or as a `LegalMove`.
   *
   * A `LegalMove` is made only at the position that it was listed for: otherwise the call is refused as
   * `STALE_POSITION`. For a notation, `expectedSeq` says which position it is for. An illegal move is refused
   * as `ILLEGAL_MOVE`, with the `paragraph` of the rules.
   */
  async play(move: Playable, options: { expectedSeq?: number } & ChangeOptions = {}): Promise<Change> {
    const { signal, requestId, expectedSeq } = options;
    const input = moveInput(move, expectedSeq);
    const request = { matchId: this.matchId, ...input, requestId };
    return new Change(await this.calls.submitMove(request, { signal }));
  }

  /** Returns why a move would be refused; `undefined` if it is legal. */
  async check(
    move: Playable,
    options: { expectedSeq?: number } & CallOptions = {},
  ): Promise<Refusal | undefined> {
    const request = { matchId: this.matchId, ...moveInput(move, options.expectedSeq) };
    const response = await this.calls.checkMove(request, { signal: options.signal });
    return response.legal ? undefined : present(response.refusal, "refusal");
  }

  /** Suggests a legal move, chosen by a strategy, by default at random. A seed repeats the choice. */
  async suggest(
    strategy: StrategyName = "random",
    { seed, signal }: { seed?: number | bigint } & CallOptions = {},
  ): Promise<LegalMove & { prospects: Prospects }> {
    const wanted = { matchId: this.matchId, strategy: enumValue(Strategy, strategy) };
    const request = { ...wanted, ...(seed === undefined ? {} : { seed: BigInt(seed) }) };
    const { notation, move, seq, prospects } = await this.calls.suggestMove(request, { signal });
    return { notation, move: present(move, "move"), seq, prospects };
  }

  /** Returns what follows these answers on the way to a move: the next question, or the finished move. */
  choices(
    path: string[] = [],
    { expectedSeq, signal }: { expectedSeq?: number | undefined } & CallOptions = {},
  ): Promise<GetChoicesResponse> {
    return this.calls.getChoices({ matchId: this.matchId, path, expectedSeq }, { signal });
  }

  /**
   * Builds a move from the answers of a function to one question after the other.
   *
   * The function returns the `value` of a choice, an integer in decimal digits, or a text.
   */
  async build(
    answer: (question: Question) => string | Promise<string>,
    { signal }: CallOptions = {},
  ): Promise<LegalMove> {
    const path: string[] = [];
    let expectedSeq: number | undefined;
    for (;;) {
      const { seq, next } = await this.choices(path, { expectedSeq, signal });
      expectedSeq = seq;
      if (next.case === "finished") {
        return { notation: next.value.notation, move: present(next.value.move, "move"), seq };
      }
      path.push(await answer(present(next.value, "question")));
    }
  }

  /** Resigns: the other seat wins. */
  async resign({ signal, requestId }: ChangeOptions = {}): Promise<Change> {
    return new Change(await this.calls.resign({ matchId: this.matchId, requestId }, { signal }));
  }

  /** Calls off a match that has not really begun: nobody wins. */
  async abort({ signal, requestId }: ChangeOptions = {}): Promise<Change> {
    const request = { matchId: this.matchId, requestId };
    return new Change(await this.calls.abortMatch(request, { signal }));
  }

  /** Proposes a draw or a takeback to the other seat. */
  async propose(kind: ProposalName, { signal, requestId }: ChangeOptions = {}): Promise<Change> {
    const proposal = { matchId: this.matchId, kind: enumValue(ProposalKind, kind) };
    return new Change(await this.calls.makeProposal({ ...proposal, requestId }, { signal }));
  }

  /** Accepts the other seat's proposal. */
  accept(kind: ProposalName, options: ChangeOptions = {}): Promise<Change> {
    return this.#answer(kind, true, options);
  }

  /** Declines the other seat's proposal. */
  decline(kind: ProposalName, options: ChangeOptions = {}): Promise<Change> {
    return this.#answer(kind, false, options);
  }

  async #answer(kind: ProposalName, accept: boolean, { signal, requestId }: ChangeOptions): Promise<Change> {
    const answer = { matchId: this.matchId, kind: enumValue(ProposalKind, kind), accept };
    return new Change(await this.calls.answerProposal({ ...answer, requestId }, { signal }));
  }

  /** Replaces this seat's token, which becomes void, and returns the new one, which this object uses. */
  async renewToken(options: TokenOptions = {}): Promise<string> {
    const { signal, requestId, claimSecret = newClaimSecret() } = options;
    // The view names the seat if the caller did not.
    this.#seat ??= present((await this.view({ signal })).viewer?.seat, "seat");
    const request = { matchId: this.matchId, seat: this.#seat, claimSecret, requestId };
    const { seatToken } = await this.calls.rotateSeatToken(request, { signal });
    this.#token = seatToken;
    this.reconnect(this.#app.with(tokenHeaders(seatToken)));
    return seatToken;
  }

  /**
   * Creates a rematch with seats swapped; both seats get the same match.
   *
   * Returns the caller's `Seat` in a game without chance. In others it returns the match, whose seat must be
   * claimed once its `info.seedCommitment` is known. That seat is reserved for the caller.
   */
  async rematch(options: { rulesVersion?: number } & TokenOptions = {}): Promise<Match | Seat> {
    const { signal, rulesVersion, requestId, claimSecret = newClaimSecret() } = options;
    const request = { matchId: this.matchId, claimSecret, rulesVersion, requestId };
    const { match, seat, seatToken } = await this.calls.createRematch(request, { signal });
    const made = present(match, "match");
    const other = new Match(this.#app, made.matchId, made, this);
    return seatToken === "" ? other : other.seat(seatToken, seat, made);
  }
}
