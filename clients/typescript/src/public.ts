/** What the package exports, in Node and in browsers alike. */

export type { Call, Calls } from "./calls.js";
export type { Client } from "./client.js";
export type { CallOptions } from "./connection.js";
export type { FieldViolation, Reason } from "./errors.js";
export { InsecureConnection, isRefused, MatchbookError, Refused, Unreachable } from "./errors.js";
export type { ExportedLog, SkippedLog } from "./exports.js";
export { type ClaimOptions, Match } from "./match.js";
export type { CreateOptions, MatchFilter, OptionsOf, Playable, ProposalName } from "./requests.js";
export { bank, perMove } from "./requests.js";
export type { RetryPolicy } from "./retry.js";
export { Seat } from "./seat.js";
export type { MatchbookOptions } from "./settings.js";
export type { Feed, Watch } from "./streams.js";
export type { Change, FeedEvent, LegalMove, LegalMoves, MatchEvent } from "./values.js";
