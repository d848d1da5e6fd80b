/** How often a call is retried, and after what delay. */

/**
 * How calls are retried and streams are reopened: with delays that double up to a maximum.
 *
 * For a stream the count starts anew with each event or heartbeat received.
 */
export interface RetryPolicy {
  /** Number of attempts, the first one included; 1 retries nothing. */
  readonly attempts: number;
  /** Delay after the first failure, in milliseconds. */
  readonly initialDelayMs: number;
  /** Maximum delay in milliseconds, also of what the service asks for. */
  readonly maxDelayMs: number;
}

/** The policy of a client that is given none. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 7, initialDelayMs: 100, maxDelayMs: 5000 };

/** The failures in a row of one call or stream. */
export class Backoff {
  #failures = 0;
  readonly #policy: RetryPolicy;

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  /** Counts a failure and returns the delay before the next attempt; `undefined` if none is left. */
  afterFailure(atLeastMs = 0): number | undefined {
    this.#failures += 1;
    if (this.#failures >= this.#policy.attempts) return undefined;
    const doubled = this.#policy.initialDelayMs * 2 ** Math.min(this.#failures - 1, 30);
    return Math.min(Math.max(doubled, atLeastMs), this.#policy.maxDelayMs);
  }

  /** Counts from zero again. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
