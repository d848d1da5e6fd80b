/** Calls of the script through the methods that programs use, such as `seat.play` and `match.watch`. */

import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { Change, Client, Match, Seat } from "matchbook";
import * as v1 from "matchbook/v1";
import { collect } from "./service.js";

/** A request of the script, as far as methods make it. */
interface Request {
  matchId: string;
  matchIds: string[];
  gameId: string;
  seat: number;
  player: { displayName: string };
  claim?: { seat: number; player: { displayName: string }; claimSecret?: string };
  options?: Record<string, unknown>;
  timeControl?: JsonValue;
  visibility?: string;
  labels: Record<string, string> | string[];
  externalId?: string;
  requestId?: string;
  claimSecret?: string;
  atSeq?: number;
  minSeq?: number;
  viewer?: { kind?: string; seat?: number };
  afterSeq?: number;
  afterHash?: string;
  after?: string;
  pageSize?: number;
  path: string[];
  notation: string;
  expectedSeq?: number;
  strategy: string;
  seed?: string;
  kind: string;
  accept: boolean;
  webhookId: string;
  url: string;
  kinds?: string[] | { kinds: string[] };
  enabled?: boolean;
  currentGeneration: number;
  deliveryIds: string[];
}

/** Who calls: a client, its match, and the seat if there is a token. */
interface Caller {
  client: Client;
  match: Match;
  seat: Seat | undefined;
}

type Method = (caller: Caller, asked: Request) => Promise<JsonValue>;

/** What methods read themselves, and do not return. */
const ONLY_IN_RESPONSES = /(nextPageToken|totalSize|headSeq)$/;

function json<D extends DescMessage>(schema: D, message: MessageShape<D>): JsonValue {
  return toJson(schema, message, { alwaysEmitImplicit: true });
}

/** Returns an enum's value as methods take it: `draw` of `PROPOSAL_KIND_DRAW`. */
function word<T extends string>(value: string, prefix: string): T {
  return value.replace(prefix, "").toLowerCase() as T;
}

/** Returns fields without those that are absent. */
function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Returns a match as calls return it that also name its seat's token. */
function seated({ info, token }: Seat): JsonValue {
  return { ...matched({ info }), seatToken: token };
}

function matched({ info }: { info: v1.Match | undefined }): { [field: string]: JsonValue } {
  return info === undefined ? {} : { match: json(v1.MatchSchema, info) };
}

async function changed(change: Promise<Change>): Promise<JsonValue> {
  const { events, view } = await change;
  return {
    events: events.map((event) => json(v1.EventSchema, event.message)),
    view: json(v1.ViewSchema, view),
  };
}

async function create({ client }: Caller, asked: Request): Promise<JsonValue> {
  const { gameId, claim, options, timeControl, visibility, labels, externalId, requestId } = asked;
  const terms = given({
    // The script names the game beside its options.
    options: options && (Object.values(options)[0] as never),
    timeControl: timeControl === undefined ? undefined : fromJson(v1.TimeControlSchema, timeControl),
    visibility:
      visibility === undefined
        ? undefined
        : word<"public" | "unlisted" | "private">(visibility, "VISIBILITY_"),
    labels: labels as Record<string, string> | undefined,
    externalId,
    requestId,
  });
  if (claim === undefined) return matched(await client.createMatch(gameId, terms));
  const { seat, player, claimSecret } = claim;
  return seated(
    await client.createAndClaim(gameId, seat, player.displayName, { ...terms, ...given({ claimSecret }) }),
  );
}

async function watch({ match, seat }: Caller, { afterSeq, afterHash }: Request): Promise<JsonValue> {
  const hash = afterHash === undefined ? undefined : Uint8Array.from(Buffer.from(afterHash, "base64"));
  const watching = (seat ?? match).watch(given({ afterSeq, afterHash: hash }));
  const seen = await collect(watching);
  const { startView } = watching;
  const start = startView === undefined ? {} : { view: json(v1.ViewSchema, startView) };
  return [start, ...seen.map((event) => ({ event: json(v1.EventSchema, event.message) }))];
}

/** The methods of a match, with a seat or without. */
const OF_MATCHES: Record<string, Method> = {
  GetMatch: async ({ match, seat }) => ({ match: json(v1.MatchSchema, await (seat ?? match).get()) }),
  GetView: async ({ match, seat }, { atSeq, minSeq, viewer }) => {
    const wanted = given({ atSeq, minSeq, openView: viewer?.kind === "KIND_OPEN" });
    return { view: json(v1.ViewSchema, await (seat ?? match).view(wanted)) };
  },
  ListEvents: async ({ match, seat }, { afterSeq }) => {
    const events = await collect((seat ?? match).events(given({ afterSeq })));
    return { events: events.map((event) => json(v1.EventSchema, event.message)) };
  },
  ListLegalMoves: async ({ match, seat: own }, { seat, pageSize }) => {
    const moves = await (own ?? match).legalMoves(given({ seat, limit: pageSize }));
    return { moves: moves.notations.map((notation) => ({ notation })), complete: moves.isComplete };
  },
  WatchMatch: watch,
  SignHead: async ({ match, seat }) => json(v1.SignHeadResponseSchema, await (seat ?? match).signHead()),
  ExportLog: async ({ match, seat }) => {
    const { lines } = await (seat ?? match).export();
    return lines.map((line) => JSON.parse(line) as JsonValue);
  },
  CreateRematch: async ({ match, seat }, { requestId, claimSecret }) =>
    matched(await (seat ?? match).rematch(given({ requestId, claimSecret }))),
  RotateSeatToken: async ({ match, seat: own }, { seat, requestId, claimSecret }) => {
    const terms = given({ requestId, claimSecret });
    if (own !== undefined) return { seatToken: await own.renewToken(terms) };
    return seated(await match.rotateToken(seat, terms));
  },
};

/** The methods of a match that no seat has. */
const OF_OTHERS: Record<string, Method> = {
  ClaimSeat: async ({ match }, { seat, player, requestId, claimSecret }) => {
    const terms = given({ requestId, claimSecret });
    return seated(await match.claim(seat, player.displayName, { ...terms, entropy: new Uint8Array() }));
  },
  RedactPlayer: async ({ match }, { seat }) => matched({ info: await match.redactPlayer(seat) }),
  UpdateMatchLabels: async ({ match }, { labels }) =>
    matched({ info: await match.setLabels(labels as Record<string, string>) }),
  ForkMatch: async ({ match }, { atSeq }) => matched(await match.fork(given({ atSeq }))),
};

/** The methods of a seat. */
const OF_SEATS: Record<string, (seat: Seat, asked: Request) => Promise<JsonValue>> = {
  GetChoices: async (seat, { path }) => json(v1.GetChoicesResponseSchema, await seat.choices(path)),
  CheckMove: async (seat, { notation }) => ({ legal: (await seat.check(notation)) === undefined }),
  SuggestMove: async (seat, { strategy, seed }) => {
    const wanted = given({ seed: seed === undefined ? undefined : BigInt(seed) });
    const { notation, move, seq } = await seat.suggest(
      word<"random" | "greedy">(strategy, "STRATEGY_"),
      wanted,
    );
    return { notation, move: json(v1.MoveSchema, move), seq };
  },
  SubmitMove: (seat, { notation, expectedSeq, requestId }) =>
    changed(seat.play(notation, given({ expectedSeq, requestId }))),
  MakeProposal: (seat, { kind, requestId }) =>
    changed(seat.propose(word<"draw" | "takeback">(kind, "PROPOSAL_KIND_"), given({ requestId }))),
  AnswerProposal: (seat, { kind, accept }) => {
    const name = word<"draw" | "takeback">(kind, "PROPOSAL_KIND_");
    return changed(accept ? seat.accept(name) : seat.decline(name));
  },
  Resign: (seat, { requestId }) => changed(seat.resign(given({ requestId }))),
  AbortMatch: (seat) => changed(seat.abort()),
};

/** The methods of a client. */
const OF_CLIENTS: Record<string, Method> = {
  ListGames: async ({ client }) => ({
    games: (await collect(client.games())).map((game) => json(v1.GameSchema, game)),
  }),
  GetGame: async ({ client }, { gameId }) => ({ game: json(v1.GameSchema, await client.game(gameId)) }),
  ListKeys: async ({ client }) => ({
    keys: (await collect(client.keys())).map((key) => json(v1.SigningKeySchema, key)),
  }),
  CreateMatch: create,
  BatchGetMatches: async ({ client }, { matchIds }) => {
    const matches = await client.getMatches(matchIds);
    return { matches: matches.map((match) => json(v1.MatchSchema, match)) };
  },
  ListMatches: async ({ client }, { labels }) => {
    const pairs = (labels as string[]).map((label) => label.split("=") as [string, string]);
    const matches = await collect(client.matches({ labels: Object.fromEntries(pairs) }));
    return { matches: matches.map((match) => json(v1.MatchSchema, match)) };
  },
  StreamFeed: async ({ client }, { after }) => {
    const events = await collect(client.feed({ ...given({ after }), follow: false }));
    return events.map(({ matchId, cursor }) => ({ event: { matchId }, cursor }));
  },
  CreateWebhook: async ({ client }, { url, kinds }) => {
    const made = await client.webhooks.create(url, given({ kinds: kinds as string[] | undefined }));
    return json(v1.CreateWebhookResponseSchema, made);
  },
  GetWebhook: async ({ client }, { webhookId }) => ({
    webhook: json(v1.WebhookSchema, await client.webhooks.get(webhookId)),
  }),
  UpdateWebhook: async ({ client }, { webhookId, url, kinds, enabled }) => {
    const changes = given({ url, kinds: (kinds as { kinds: string[] } | undefined)?.kinds, enabled });
    return { webhook: json(v1.WebhookSchema, await client.webhooks.update(webhookId, changes)) };
  },
  DeleteWebhook: async ({ client }, { webhookId }) => {
    await client.webhooks.delete(webhookId);
    return {};
  },
  PingWebhook: async ({ client }, { webhookId }) =>
    json(v1.PingWebhookResponseSchema, await client.webhooks.ping(webhookId)),
  RotateWebhookSecret: async ({ client }, { webhookId, currentGeneration }) => {
    const rotated = await client.webhooks.rotateSecret(webhookId, currentGeneration);
    return json(v1.RotateWebhookSecretResponseSchema, rotated);
  },
  ListDeadLetters: async ({ client }, { webhookId }) => {
    const letters = await collect(client.webhooks.deadLetters(webhookId));
    return { deadLetters: letters.map((letter) => json(v1.DeadLetterSchema, letter)) };
  },
  RetryDeadLetters: async ({ client }, { webhookId, deliveryIds }) => ({
    retriedCount: await client.webhooks.retryDeadLetters(webhookId, { deliveryIds }),
  }),
};

/** The RPCs that a method makes for some step of the script. */
export const METHODS: ReadonlySet<string> = new Set(
  [OF_MATCHES, OF_OTHERS, OF_SEATS, OF_CLIENTS].flatMap(Object.keys),
);

/** What of a step says whether a method makes its call. */
export interface MethodStep {
  call: string;
  request: JsonValue;
  save?: Record<string, string>;
  expect?: Record<string, JsonValue>;
  refused?: { retry?: boolean };
}

/** Returns a step's call by a method, or `undefined` if none makes it with all that the step looks at. */
export function methodOf(
  step: MethodStep,
  client: Client,
  token: string | undefined,
): ((request: JsonValue) => Promise<JsonValue>) | undefined {
  const request = step.request as unknown as Partial<Request> & { pageToken?: string };
  const expected = Object.entries(step.expect ?? {}).flatMap(([path, value]) => (value === "" ? [] : [path]));
  const seen = [...expected, ...Object.values(step.save ?? {})];
  if (seen.some((path) => ONLY_IN_RESPONSES.test(path)) || request.pageToken !== undefined) return undefined;
  // A method repeats a call that is worth it.
  if (step.refused?.retry || request.viewer?.seat !== undefined) return undefined;
  if (request.pageSize !== undefined && step.call !== "ListLegalMoves") return undefined;
  if (step.call === "SubmitMove" && request.notation === undefined) return undefined;
  const ofSeat = OF_SEATS[step.call];
  const method = (token === undefined ? OF_OTHERS[step.call] : undefined) ?? OF_MATCHES[step.call];
  const found = method ?? OF_CLIENTS[step.call];
  if (found === undefined && (ofSeat === undefined || token === undefined)) return undefined;
  return async (filled) => {
    const asked = filled as unknown as Request;
    const match = client.match(asked.matchId);
    const seat = token === undefined ? undefined : match.seat(token);
    if (found !== undefined) return found({ client, match, seat }, asked);
    return (ofSeat as (seat: Seat, asked: Request) => Promise<JsonValue>)(seat as Seat, asked);
  };
}
