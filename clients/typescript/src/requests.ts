/** Messages from the arguments of calls. */

import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "./connection.js";
import {
  BankSchema,
  PerMoveSchema,
  type TimeControl,
  TimeControlSchema,
} from "./gen/matchbook/v1/clock_pb.js";
import type { CreateMatchRequestSchema } from "./gen/matchbook/v1/creating_pb.js";
import type { ListMatchesRequestSchema } from "./gen/matchbook/v1/directory_pb.js";
import { GameOptionsSchema, type Move } from "./gen/matchbook/v1/game_pb.js";
import { MatchStatus, Visibility } from "./gen/matchbook/v1/match_pb.js";
import type { Strategy, SubmitMoveRequestSchema } from "./gen/matchbook/v1/moves_pb.js";
import type { ProposalKind } from "./gen/matchbook/v1/proposal_pb.js";
import type { SeatClaim } from "./gen/matchbook/v1/seating_pb.js";
import type { LegalMove } from "./values.js";

type NameOf<E> = Lowercase<Exclude<keyof E & string, "UNSPECIFIED">>;

/** Who may see a match. */
export type VisibilityName = NameOf<typeof Visibility>;
/** The status of a match. */
export type StatusName = NameOf<typeof MatchStatus>;
/** What a seat can propose. */
export type ProposalName = NameOf<typeof ProposalKind>;
/** How a move is suggested. */
export type StrategyName = NameOf<typeof Strategy>;

/** A move: in the game's notation, from a list, or as a message. */
export type Playable = string | LegalMove | Move;

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type GameInit = Exclude<MessageInitShape<typeof GameOptionsSchema>["game"], undefined | { case?: undefined }>;

/** The options of a game by its ID; those of a game that this package does not know are `never`. */
export type OptionsOf<G extends string> = Extract<GameInit, { case: Camel<G> }>["value"];

/** The terms of a new match. */
export interface CreateOptions<G extends string = string> extends CallOptions {
  /** The game's options; absent ones take their defaults. */
  readonly options?: OptionsOf<G> | undefined;
  /** Made by `perMove` or `bank`; without it the match has no clocks. */
  readonly timeControl?: TimeControl | undefined;
  /** Who may see the match, by default everyone. Private matches require an API key. */
  readonly visibility?: VisibilityName | undefined;
  /** The rules version, by default the newest. */
  readonly rulesVersion?: number | undefined;
  /** Notes of the app that owns the match. They require an API key. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The app's own ID of the match, unique among its matches. It requires an API key. */
  readonly externalId?: string | undefined;
  /** Whether no move can be taken back. */
  readonly forbidTakebacks?: boolean | undefined;
  /** A UUID with which the call can be repeated later, also from another process. */
  readonly requestId?: string | undefined;
}

/** Which matches to list or export. Fields combine: a match must meet all of them. */
export interface MatchFilter
  extends Partial<
    Pick<
      MessageShape<typeof ListMatchesRequestSchema>,
      "gameId" | "player" | "mine" | "externalId" | "playerId" | "playerToAct" | "seatToAct"
    >
  > {
  readonly status?: StatusName;
  readonly createdSince?: Date;
  readonly createdBefore?: Date;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Returns a value of an enum by its name in lower case. */
export function enumValue<E extends Record<string, string | number>>(
  names: E,
  name: NameOf<E>,
): Extract<E[keyof E], number> {
  const value = names[name.toUpperCase()];
  if (typeof value !== "number" || value === 0) throw new TypeError(`unknown name ${JSON.stringify(name)}`);
  return value as Extract<E[keyof E], number>;
}

/** Returns a time control with a fixed time for each move, in milliseconds. */
export function perMove(moveTimeMs: number): TimeControl {
  const value = create(PerMoveSchema, { moveTime: durationFromMs(moveTimeMs) });
  return create(TimeControlSchema, { kind: { case: "perMove", value } });
}

/** Returns a time control with a budget for the whole match and an increment per move, in milliseconds. */
export function bank(budgetMs: number, incrementMs = 0): TimeControl {
  const increment = durationFromMs(incrementMs);
  const value = create(BankSchema, { budget: durationFromMs(budgetMs), increment });
  return create(TimeControlSchema, { kind: { case: "bank", value } });
}

/** Returns the request that creates a match. */
export function creating<G extends string>(
  gameId: G,
  terms: CreateOptions<G>,
  claim?: SeatClaim,
): MessageInitShape<typeof CreateMatchRequestSchema> {
  const { options, visibility, labels = {}, forbidTakebacks = false, signal: _, ...others } = terms;
  return {
    ...others,
    gameId,
    claim,
    labels,
    forbidTakebacks,
    options: options === undefined ? undefined : gameOptions(gameId, options),
    visibility: visibility === undefined ? undefined : enumValue(Visibility, visibility),
  };
}

function gameOptions(gameId: string, value: unknown): MessageInitShape<typeof GameOptionsSchema> {
  const name = gameId.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (!GameOptionsSchema.field[name as keyof typeof GameOptionsSchema.field]) {
    throw new TypeError(`this package does not know the options of ${gameId}`);
  }
  return { game: { case: name, value } as GameInit };
}

/** Returns a filter as the requests that list and export matches have it. */
export function filtering(filter: MatchFilter) {
  const { status, createdSince, createdBefore, labels, ...others } = filter;
  return {
    ...others,
    status: status === undefined ? undefined : enumValue(MatchStatus, status),
    createdSince: createdSince === undefined ? undefined : timestampFromDate(createdSince),
    createdBefore: createdBefore === undefined ? undefined : timestampFromDate(createdBefore),
    labels: Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`),
  };
}

/** Returns a move as requests have it. A listed move is for the position that it was listed at. */
export function moveInput(
  move: Playable,
  expectedSeq: number | undefined,
): Pick<MessageInitShape<typeof SubmitMoveRequestSchema>, "expectedSeq" | "input"> {
  if (typeof move === "string") return { input: { case: "notation", value: move }, expectedSeq };
  if ("$typeName" in move) return { input: { case: "move", value: move }, expectedSeq };
  return { input: { case: "move", value: move.move }, expectedSeq: expectedSeq ?? move.seq };
}
