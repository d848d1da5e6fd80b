/** Calls about webhooks. */

import type { Calls } from "./calls.js";
import type { CallOptions } from "./connection.js";
import type { DeadLetter, Webhook } from "./gen/matchbook/v1/webhook_pb.js";
import type {
  CreateWebhookResponse,
  PingWebhookResponse,
  RotateWebhookSecretResponse,
} from "./gen/matchbook/v1/webhook_service_pb.js";
import { pages } from "./paging.js";
import { present } from "./values.js";

/** The calls about webhooks: receivers of the events of an API key's matches. All require that key. */
export class Webhooks {
  readonly #calls: Calls;

  /** @internal */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Creates a webhook and returns it with its secret. Without `kinds`, events of all kinds are sent. */
  create(
    url: string,
    { kinds = [], requestId, signal }: { kinds?: string[]; requestId?: string } & CallOptions = {},
  ): Promise<CreateWebhookResponse> {
    return this.#calls.createWebhook({ url, kinds, requestId }, { signal });
  }

  /** Lists the caller's webhooks, or for an admin those of all keys. */
  async *list({
    allOwners = false,
    signal,
  }: { allOwners?: boolean } & CallOptions = {}): AsyncGenerator<Webhook, void, undefined> {
    const list = (request: { pageToken: string }) => this.#calls.listWebhooks(request, { signal });
    for await (const page of pages(list, { allOwners })) yield* page.webhooks;
  }

  /** Returns a webhook, with the numbers of its undelivered events. */
  async get(webhookId: string, options?: CallOptions): Promise<Webhook> {
    return present((await this.#calls.getWebhook({ webhookId }, options)).webhook, "webhook");
  }

  /** Changes a webhook's URL or kinds, disables or enables it. */
  async update(
    webhookId: string,
    changes: { url?: string; kinds?: string[]; enabled?: boolean },
    options?: CallOptions,
  ): Promise<Webhook> {
    const kinds = changes.kinds === undefined ? undefined : { kinds: changes.kinds };
    const response = await this.#calls.updateWebhook({ webhookId, ...changes, kinds }, options);
    return present(response.webhook, "webhook");
  }

  /** Deletes a webhook with its dead letters. It is not repeated: a repetition would be refused. */
  async delete(webhookId: string, options?: CallOptions): Promise<void> {
    await this.#calls.deleteWebhook({ webhookId }, options);
  }

  /** Replaces a webhook's secret; the old one signs beside it for a day. */
  rotateSecret(
    webhookId: string,
    currentGeneration: number,
    options?: CallOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return this.#calls.rotateWebhookSecret({ webhookId, currentGeneration }, options);
  }

  /** Sends a `ping` at once and returns what came of it. It is not repeated. */
  ping(webhookId: string, options?: CallOptions): Promise<PingWebhookResponse> {
    return this.#calls.pingWebhook({ webhookId }, options);
  }

  /** Lists a webhook's dead letters: events that were given up. */
  async *deadLetters(
    webhookId: string,
    { signal }: CallOptions = {},
  ): AsyncGenerator<DeadLetter, void, undefined> {
    const list = (request: { pageToken: string }) => this.#calls.listDeadLetters(request, { signal });
    for await (const page of pages(list, { webhookId })) yield* page.deadLetters;
  }

  /** Sends dead letters again, by default all, and returns their number. */
  async retryDeadLetters(
    webhookId: string,
    { deliveryIds = [], signal }: { deliveryIds?: string[] } & CallOptions = {},
  ): Promise<number> {
    return (await this.#calls.retryDeadLetters({ webhookId, deliveryIds }, { signal })).retriedCount;
  }
}
