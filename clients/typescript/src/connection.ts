/** A connection: credentials, timeouts and retries. */

import {
  create,
  type DescMessage,
  type DescMethodBiDiStreaming,
  type DescMethodServerStreaming,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { randomUuid } from "./random.js";
import { Backoff, sleep } from "./retry.js";
import type { Headers, Settings } from "./settings.js";
import { errorOf } from "./status.js";

/** What every call takes. */
export interface CallOptions {
  /** Aborts the call or stream, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The requests of a stream, which are sent as they come. */
export type Requests<I extends DescMessage> =
  | Iterable<MessageInitShape<I>>
  | AsyncIterable<MessageInitShape<I>>;

/** An open transport, and how to close it. */
export interface OpenTransport {
  readonly transport: Transport;
  /** Whether it can send a stream of requests. */
  readonly streamsRequests: boolean;
  readonly close: () => void;
}

/** Makes calls with one set of credentials. Several share a transport. */
export class Connection {
  readonly settings: Settings;
  readonly #open: OpenTransport;
  // Private, so that no console shows the secrets.
  readonly #headers: Headers;

  constructor(settings: Settings, open: OpenTransport, headers: Headers) {
    this.settings = settings;
    this.#open = open;
    this.#headers = headers;
  }

  /** Returns the same connection with further headers. */
  with(headers: Headers): Connection {
    return new Connection(this.settings, this.#open, { ...this.#headers, ...headers });
  }

  /** Closes the transport. */
  close(): void {
    this.#open.close();
  }

  /**
   * Makes a call, and repeats it while the policy allows and the protos say that it is safe: the RPC has an
   * idempotency level, or the request a `request_id`, which it gets if it has none.
   */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    init: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const request = withRequestId(method.input, init);
    const isRepeatable = hasRequestId(method.input) || isIdempotent(method);
    const backoff = new Backoff(this.settings.retry);
    const { signal } = options;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const { transport } = this.#open;
        return (await transport.unary(method, signal, this.settings.timeoutMs, this.#headers, request))
          .message;
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = errorOf(thrown, this.settings.url);
        const delayMs =
          error.isTransient && isRepeatable ? backoff.afterFailure(error.retryAfterMs) : undefined;
        if (delayMs === undefined) throw error;
        await sleep(delayMs, signal);
      }
    }
  }

  /** Opens a stream, which ends where it breaks and when its reader stops. */
  stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    init: MessageInitShape<I>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    return this.#receive(method, each([init]), options);
  }

  /** Opens a stream in both directions, which also ends after the answers to the last request. */
  exchange<I extends DescMessage, O extends DescMessage>(
    method: DescMethodBiDiStreaming<I, O>,
    requests: Requests<I>,
    options?: CallOptions,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    if (!this.#open.streamsRequests) throw new TypeError("browsers cannot send a stream of requests");
    return this.#receive(method, each(requests), options);
  }

  async *#receive<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    requests: AsyncIterable<MessageInitShape<I>>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const { signal } = options;
    signal?.throwIfAborted();
    const reading = new AbortController();
    const abort = () => reading.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const { transport } = this.#open;
      const { message } = await transport.stream(method, reading.signal, undefined, this.#headers, requests);
      yield* message;
    } catch (thrown) {
      signal?.throwIfAborted();
      throw errorOf(thrown, this.settings.url);
    } finally {
      signal?.removeEventListener("abort", abort);
      // A reader that stops early must not leave the service sending.
      reading.abort();
    }
  }
}

function withRequestId<I extends DescMessage>(schema: I, init: MessageInitShape<I>): MessageShape<I> {
  const request = create(schema, init);
  if (hasRequestId(schema)) {
    const identified = request as { requestId?: string };
    identified.requestId ||= randomUuid();
  }
  return request;
}

function hasRequestId(schema: DescMessage): boolean {
  return schema.field["requestId"] !== undefined;
}

function isIdempotent(method: DescMethodUnary): boolean {
  return method.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
}

async function* each<T>(messages: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> {
  yield* messages;
}
