/** Every RPC as it is: a message or a stream of messages in, a message or a stream of messages out. */

import type {
  DescMethod,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { CallOptions, Connection, Requests } from "./connection.js";
import * as services from "./gen/services.js";

/** The function of one RPC. */
export type Call<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageInitShape<I>, options?: CallOptions) => Promise<MessageShape<O>>
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? (
          request: MessageInitShape<I>,
          options?: CallOptions,
        ) => AsyncGenerator<MessageShape<O>, void, undefined>
      : M extends DescMethodBiDiStreaming<infer I, infer O>
        ? (requests: Requests<I>, options?: CallOptions) => AsyncGenerator<MessageShape<O>, void, undefined>
        : never;

type CallsOf<S> = S extends { method: infer M } ? { readonly [P in keyof M]: Call<M[P]> } : never;
type All<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void ? I : never;

/**
 * Every RPC of every service of the protos, in camel case. Calls retry as the client's methods do; a stream
 * does not resume by itself. Browsers cannot send a stream of requests, so there `submitMoves` throws a
 * TypeError.
 */
export type Calls = All<CallsOf<(typeof services)[keyof typeof services]>>;

/** Returns the RPCs over a connection. */
export function callsOver(connection: Connection): Calls {
  const methods = Object.values<DescService>(services).flatMap((service) => service.methods);
  const calls = methods.map((method) => [method.localName, callOf(method, connection)] as const);
  return Object.fromEntries(calls) as unknown as Calls;
}

function callOf(method: DescMethod, connection: Connection): unknown {
  type Request = MessageInitShape<DescMethod["input"]>;
  switch (method.methodKind) {
    case "unary":
      return (request: Request, options?: CallOptions) =>
        connection.unary(method as DescMethodUnary, request, options);
    case "server_streaming":
      return (request: Request, options?: CallOptions) =>
        connection.stream(method as DescMethodServerStreaming, request, options);
    case "bidi_streaming":
      return (requests: Requests<DescMethod["input"]>, options?: CallOptions) =>
        connection.exchange(method as DescMethodBiDiStreaming, requests, options);
    default:
      throw new TypeError(`${method.name} streams requests and returns one response`);
  }
}
