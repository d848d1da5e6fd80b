/** What a failed call of gRPC or gRPC-Web means. */

import { Code, ConnectError } from "@connectrpc/connect";
import { InsecureConnection, MatchbookError, Refused, Unreachable } from "./errors.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

// What HTTP servers and proxies that are no Matchbook service answer; no repetition helps.
const ANSWERED_BY_OTHERS = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);
const TLS_FAILURE = /CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO_/;

/** Returns the error for what a transport threw. */
export function errorOf(thrown: unknown, url: string): MatchbookError {
  if (thrown instanceof MatchbookError) return thrown;
  const failed = ConnectError.from(thrown);
  const info = failed.findDetails(ErrorInfoSchema)[0];
  // Only the service knows a reason, so without one the network or a proxy failed.
  if (info === undefined && !ANSWERED_BY_OTHERS.has(failed.code)) {
    const failure = causeCodes(failed).some((code) => TLS_FAILURE.test(code))
      ? InsecureConnection
      : Unreachable;
    return new failure(url, failed.rawMessage, { cause: thrown });
  }
  const invalid = failed.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  const details = {
    reason: info?.reason ?? "",
    code: Code[failed.code],
    metadata: info?.metadata ?? {},
    fields: invalid.map(({ field, description }) => ({ path: field, description })),
    retryAfterMs: retryAfterMs(failed),
    callId: failed.metadata.get("matchbook-call-id") ?? "",
  };
  return new Refused(failed.rawMessage, details, { cause: thrown });
}

function retryAfterMs(failed: ConnectError): number | undefined {
  const delay = failed.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay === undefined ? undefined : Number(delay.seconds) * 1000 + delay.nanos / 1e6;
}

/** Returns the codes that Node gives an error and its causes. */
function causeCodes(error: Error): string[] {
  const codes: string[] = [];
  let cause: unknown = error;
  // Chains of causes are short; a loop in one must not hang the caller.
  for (let depth = 0; cause instanceof Error && depth < 10; depth++) {
    if ("code" in cause && typeof cause.code === "string") codes.push(cause.code);
    cause = cause.cause;
  }
  return codes;
}
