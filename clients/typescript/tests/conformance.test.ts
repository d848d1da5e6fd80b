/** The script that all clients have in common, `clients/conformance/script.json`. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type DescMethod, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { connect, Refused } from "matchbook";
import * as v1 from "matchbook/v1";
import { METHODS, methodOf } from "./by_methods.js";
import { TestProxy } from "./proxy.js";
import { Service } from "./service.js";
import { Silent } from "./silent.js";

const CLIENT = "typescript";

/** What is refused is refused at each attempt, and an answer is lost once. */
const QUICK = { attempts: 3, initialDelayMs: 10, maxDelayMs: 50 };

/** How long a step with `until` is repeated, in milliseconds. */
const PATIENCE = 20_000;

/** What is needed of a step; `clients/conformance/README.md` explains the fields. */
interface Step {
  name: string;
  call: string;
  service?: string;
  as: string;
  key?: string;
  times?: number;
  lost?: boolean;
  beside?: string;
  pinged?: string;
  request: JsonValue;
  save?: Record<string, string>;
  expect?: Record<string, JsonValue>;
  until?: Record<string, JsonValue>;
  absent?: string[];
  refused?: {
    reason: string;
    paragraph?: string;
    fields?: string[];
    metadata?: Record<string, string>;
    retry?: boolean;
  };
  cannot?: string[];
}

/** The script. */
interface Script {
  /** The settings of each service. */
  services: Record<string, string[]>;
  steps: Step[];
}

type Call = (request: unknown) => Promise<unknown> & AsyncIterable<unknown>;

const methods = new Map<string, DescMethod>(
  [v1.GameService, v1.LogService, v1.MatchService, v1.WebhookService].flatMap((service) =>
    service.methods.map((method) => [method.name, method] as const),
  ),
);

/** Returns the value at a path such as `view.toAct.0`, or undefined. */
function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let found = value;
  for (const part of path.split(".")) {
    if (typeof found !== "object" || found === null) return undefined;
    const isLength = Array.isArray(found) && part === "length";
    found = isLength ? (found as JsonValue[]).length : (found as Record<string, JsonValue>)[part];
  }
  return found;
}

/** What earlier steps saved, and the calls that are made with it. */
class Session {
  readonly #saved: Map<string, JsonValue>;

  /** With `made`, methods make the calls where they can, and the RPCs join the set. */
  constructor(
    private readonly services: ReadonlyMap<string, Service>,
    private readonly silent: Silent,
    private readonly made?: Set<string>,
  ) {
    this.#saved = new Map([
      ["large", "a".repeat(100_000)],
      ["silent", silent.url],
    ]);
  }

  /** Replaces each text `$name` by what was saved under the name. */
  filled(value: JsonValue): JsonValue {
    if (typeof value === "string") return value.startsWith("$") ? this.#known(value.slice(1)) : value;
    if (Array.isArray(value)) return value.map((item) => this.filled(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.filled(item)]));
  }

  #known(name: string): JsonValue {
    const value = this.#saved.get(name);
    assert.notEqual(value, undefined, `nothing saved as ${name}`);
    return value as JsonValue;
  }

  /** Makes a step's call; returns the response, or all messages of a stream. */
  async make(step: Step): Promise<JsonValue> {
    const service = this.services.get(step.service ?? "main");
    assert.ok(service, `no service ${step.service}`);
    const known: Record<string, string | undefined> = {
      ...service.keys,
      "unknown key": `mbk_${"A".repeat(43)}`,
    };
    const proxy = step.lost ? await TestProxy.before(service.address) : undefined;
    proxy?.loseTheNextAnswer();
    const apiKey = known[step.key ?? step.as];
    const client = connect({ url: proxy?.url ?? service.url, apiKey, retry: QUICK });
    try {
      const isToken = step.as !== "nobody" && known[step.as] === undefined;
      const saved = step.as === "malformed token" ? "mbs_nonsense" : this.filled(step.as);
      const token = isToken ? String(saved) : undefined;
      const byMethod = this.made && methodOf(step, client, token);
      if (byMethod !== undefined) {
        this.made?.add(step.call);
        return await byMethod(this.filled(step.request));
      }
      const calls = token === undefined ? client.calls : client.seat(crypto.randomUUID(), token).calls;
      const method = methods.get(step.call);
      assert.ok(method, `no RPC ${step.call}`);
      const call = (calls as unknown as Record<string, Call>)[method.localName];
      assert.ok(call, `no call ${method.localName}`);
      const request = fromJson(method.input, this.filled(step.request));
      const json = (message: unknown) =>
        toJson(method.output, message as never, { alwaysEmitImplicit: true }) as JsonValue;
      if (method.methodKind === "unary") return json(await call(request));
      const messages: JsonValue[] = [];
      for await (const message of call(request)) messages.push(json(message));
      return messages;
    } finally {
      client.close();
      proxy?.close();
    }
  }

  /** Fails if a response differs from the script's. */
  check(step: Step, response: JsonValue): void {
    assert.equal(step.refused, undefined, `not refused: ${JSON.stringify(response)}`);
    for (const [path, value] of Object.entries({ ...step.expect, ...step.until })) {
      const expected = this.filled(value);
      const actual = at(response, path);
      const isDefault = !expected || (Array.isArray(expected) && expected.length === 0);
      if (actual === undefined && isDefault) continue;
      assert.deepEqual(actual, expected, `${path} of ${JSON.stringify(response)}`);
    }
    for (const path of step.absent ?? []) assert.equal(at(response, path), undefined, path);
  }

  /** Fails if a refusal differs from the script's. */
  checkRefusal({ refused }: Step, refusal: Refused): void {
    if (refused === undefined) throw refusal;
    assert.equal(refusal.reason, refused.reason, refusal.message);
    const fields = refusal.fields.map(({ path }) => path);
    assert.deepEqual(fields, refused.fields ?? []);
    if (refused.paragraph !== undefined) assert.equal(refusal.paragraph, refused.paragraph);
    for (const [name, value] of Object.entries(refused.metadata ?? {})) {
      assert.equal(refusal.metadata[name], this.filled(value), name);
    }
    if (refused.retry !== undefined) assert.equal(refusal.retryAfterMs !== undefined, refused.retry);
    assert.notEqual(refusal.message, "");
  }

  save(step: Step, response: JsonValue): void {
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = at(response, path);
      assert.ok(value !== undefined, `nothing to save as ${name}`);
      this.#saved.set(name, value);
    }
  }

  /** Makes a step's call until its outcome is the script's, or fails. */
  async run(step: Step): Promise<void> {
    if (step.pinged !== undefined) {
      const service = this.services.get(step.service ?? "main");
      const id = String(this.filled(step.pinged));
      const ping = await this.silent.pinged(service?.address ?? "", service?.keys["app"] ?? "", id);
      return this.#repeat(step).finally(() => ping.destroy());
    }
    if (step.beside === undefined) return this.#repeat(step);
    const watch = new AbortController();
    const url = this.services.get(step.service ?? "main")?.url;
    const path = `/v1/matches/${this.filled(step.beside)}/watch`;
    try {
      const response = await fetch(`${url}${path}`, { signal: watch.signal });
      assert.equal(response.status, 200);
      await this.#repeat(step);
    } finally {
      watch.abort();
    }
  }

  async #repeat(step: Step): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const outcome = await this.make(step).catch((error: unknown) => {
        if (error instanceof Refused) return error;
        throw error;
      });
      if (outcome instanceof Refused) return this.checkRefusal(step, outcome);
      try {
        this.check(step, outcome);
        return this.save(step, outcome);
      } catch (difference) {
        if (step.until === undefined || Date.now() > deadline) throw difference;
        await delay(50);
      }
    }
  }
}

/** Runs the script; returns all differences. */
async function differencesOf(made?: Set<string>): Promise<string[]> {
  const roles = ["app", "stranger=app", "audit"];
  const file = new URL("../../../conformance/script.json", import.meta.url);
  const script: Script = JSON.parse(readFileSync(file, "utf8"));
  const services = new Map<string, Service>();
  const silent = await Silent.start();
  const session = new Session(services, silent, made);
  const differences: string[] = [];
  try {
    for (const [name, settings] of Object.entries(script.services)) {
      services.set(name, await Service.start({ roles, settings }));
    }
    for (const step of script.steps.flatMap((step) => Array<Step>(step.times ?? 1).fill(step))) {
      assert.ok(!step.cannot?.includes(CLIENT), `${step.name}: TypeScript can make every call`);
      await session.run(step).catch((error: unknown) => differences.push(`${step.name}: ${error}`));
    }
  } finally {
    for (const service of services.values()) await service.kill();
    silent.close();
  }
  return differences;
}

test("outcomes are those of the script", async () => {
  assert.deepEqual(await differencesOf(), []);
});

test("methods have the outcomes of the script", async () => {
  const made = new Set<string>();
  assert.deepEqual(await differencesOf(made), []);
  assert.deepEqual([...made].sort(), [...METHODS].sort(), "each method has a step of the script");
});
