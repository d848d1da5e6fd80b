/** Why a call failed: the service refused it, or no answer arrived. */

import { getOption } from "@bufbuild/protobuf";
import { type ErrorReason, ErrorReasonSchema, Retry, retry } from "./gen/matchbook/v1/error_pb.js";

/** A reason of docs/api.md, such as `ILLEGAL_MOVE`: the values of the protos' `ErrorReason`. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/** An invalid field of a request. */
export interface FieldViolation {
  /** The field in the request, in proto spelling, such as `options.angels_and_demons.rows`. */
  readonly path: string;
  /** What the field must be. */
  readonly description: string;
}

/** A failed call. An aborted call is no such error: it rejects with its signal's reason, as `fetch` does. */
export abstract class MatchbookError extends Error {
  /** Whether the same call may succeed later. */
  abstract readonly isTransient: boolean;
  /** How long the service asks callers to wait before they retry, in milliseconds. */
  readonly retryAfterMs: number | undefined = undefined;
}

/** No answer arrived. A change may have taken effect nevertheless. */
export class Unreachable extends MatchbookError {
  override readonly name: string = "Unreachable";
  readonly isTransient: boolean = true;

  constructor(
    /** The service's URL. */
    readonly url: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`cannot reach the service at ${url}: ${problem}`, options);
  }
}

/**
 * TLS failed: the server's certificate is not trusted, or one side does not speak TLS. A browser does not
 * tell; there it is `Unreachable`.
 */
export class InsecureConnection extends Unreachable {
  override readonly name = "InsecureConnection";
  override readonly isTransient = false;
}

/** What a refusal says beside its message. */
export interface RefusalDetails {
  readonly reason: string;
  readonly code: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fields: readonly FieldViolation[];
  readonly retryAfterMs: number | undefined;
  readonly callId: string;
}

/** The service refused the call. It changed nothing, except perhaps after `OUTCOME_UNKNOWN`. */
export class Refused extends MatchbookError {
  override readonly name = "Refused";
  /** The reason; a string unknown to this package comes from a newer service, an empty one from a proxy. */
  readonly reason: Reason | (string & {});
  /** The gRPC status code, such as `FailedPrecondition`. */
  readonly code: string;
  /** Facts for programs by name, such as `actual_seq`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The invalid fields, if fields are the cause. */
  readonly fields: readonly FieldViolation[];
  /** The call's ID in the service's log, to quote to the operator. */
  readonly callId: string;
  override readonly retryAfterMs: number | undefined;

  constructor(message: string, details: RefusalDetails, options?: ErrorOptions) {
    super(message, options);
    this.reason = details.reason;
    this.code = details.code;
    this.metadata = details.metadata;
    this.fields = details.fields;
    this.retryAfterMs = details.retryAfterMs;
    this.callId = details.callId;
  }

  /** The paragraph of the rules that forbids a move, such as `AD-4`. */
  get paragraph(): string | undefined {
    return this.metadata["paragraph"];
  }

  /** The seq of the match's newest event, where the refusal names it. */
  get actualSeq(): number | undefined {
    const seq = this.metadata["actual_seq"];
    return seq === undefined ? undefined : Number(seq);
  }

  /** Whether the same call may succeed later, by the option `retry` that the protos give the reason. */
  get isTransient(): boolean {
    const known = ErrorReasonSchema.values.find((value) => value.name === `ERROR_REASON_${this.reason}`);
    const rule = known === undefined ? Retry.WITH_RETRY_INFO : getOption(known, retry);
    return rule === Retry.YES || (rule === Retry.WITH_RETRY_INFO && this.retryAfterMs !== undefined);
  }
}

/**
 * Returns whether an error is a refusal, for this reason if one is given.
 *
 * @example
 * catch (error) { if (isRefused(error, "ILLEGAL_MOVE")) console.log(error.paragraph); else throw error; }
 */
export function isRefused<R extends Reason>(error: unknown, reason?: R): error is Refused & { reason: R } {
  return error instanceof Refused && (reason === undefined || error.reason === reason);
}
