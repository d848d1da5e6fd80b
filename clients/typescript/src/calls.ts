/** Every RPC with one request as it is: a message in, a message or a stream of messages out. */

import type {
  DescMethod,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { CallOptions, Connection } from "./connection.js";
import * as services from "./gen/services.js";

/** An RPC with one request. Browsers cannot send a stream of them. */
type OneRequest = DescMethodUnary | DescMethodServerStreaming;

/** The function of one RPC. */
export type Call<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageInitShape<I>, options?: CallOptions) => Promise<MessageShape<O>>
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? (
          request: MessageInitShape<I>,
          options?: CallOptions,
        ) => AsyncGenerator<MessageShape<O>, void, undefined>
      : never;

type CallsOf<S> = S extends { method: infer M }
  ? { readonly [P in keyof M as M[P] extends OneRequest ? P : never]: Call<M[P]> }
  : never;
type All<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void ? I : never;

/**
 * Every RPC with one request of every service of the protos, in camel case. Calls retry as the client's methods
 * do; a stream does not resume by itself.
 */
export type Calls = All<CallsOf<(typeof services)[keyof typeof services]>>;

/** Returns the RPCs over a connection. */
export function callsOver(connection: Connection): Calls {
  const methods = Object.values<DescService>(services).flatMap((service) => service.methods);
  const calls = methods.filter(hasOneRequest).map((method) => [method.localName, callOf(method, connection)]);
  return Object.fromEntries(calls) as unknown as Calls;
}

function hasOneRequest(method: DescMethod): method is OneRequest {
  return method.methodKind === "unary" || method.methodKind === "server_streaming";
}

function callOf(method: OneRequest, connection: Connection): unknown {
  type Request = MessageInitShape<DescMethod["input"]>;
  switch (method.methodKind) {
    case "unary":
      return (request: Request, options?: CallOptions) => connection.unary(method, request, options);
    case "server_streaming":
      return (request: Request, options?: CallOptions) => connection.stream(method, request, options);
  }
}
