/** Answers that a test invents: those of a newer service, and each refusal's right to a retry. */

import assert from "node:assert/strict";
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { create, getOption, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { isRefused, Matchbook, type MatchEvent, Refused } from "matchbook";
import * as v1 from "matchbook/v1";

const QUICK = { attempts: 3, initialDelayMs: 1, maxDelayMs: 1 };

/** Runs a service of the test's own for a client. */
async function serve(routes: (router: ConnectRouter) => void, use: (client: Matchbook) => Promise<void>) {
  const server: Http2Server = createServer(connectNodeAdapter({ routes }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = new Matchbook({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    retry: QUICK,
  });
  try {
    await use(client);
  } finally {
    client.close();
    server.close();
  }
}

/** Returns the error with which a service refuses a call. */
function refusal(reason: string, retryAfterMs?: number): ConnectError {
  const error = new ConnectError("no", Code.Aborted);
  const info = new BinaryWriter().tag(1, 2).string(reason).tag(2, 2).string("matchbook.v1").finish();
  const details = [{ type: "google.rpc.ErrorInfo", value: info }];
  if (retryAfterMs !== undefined) {
    const delay = new BinaryWriter()
      .tag(2, 0)
      .int32(retryAfterMs * 1e6)
      .finish();
    details.push({ type: "google.rpc.RetryInfo", value: new BinaryWriter().tag(1, 2).bytes(delay).finish() });
  }
  error.details.push(...details);
  return error;
}

test("each reason is retried exactly if the protos say so", async () => {
  let calls = 0;
  let thrown = refusal("");
  const fail = () => {
    calls += 1;
    throw thrown;
  };
  await serve(
    ({ service }) => void service(v1.GameService, { listGames: fail }),
    async (client) => {
      for (const { name } of v1.ErrorReasonSchema.values.slice(1)) {
        for (const retryAfterMs of [undefined, 1]) {
          const reason = name.replace("ERROR_REASON_", "");
          const option = v1.ErrorReasonSchema.values.find((value) => value.name === name);
          const rule = option && getOption(option, v1.retry);
          const retries = rule === v1.Retry.YES || (rule === v1.Retry.WITH_RETRY_INFO && retryAfterMs === 1);
          calls = 0;
          thrown = refusal(reason, retryAfterMs);
          await assert.rejects(
            client.calls.listGames({}),
            (error) => error instanceof Refused && error.reason === reason,
          );
          assert.equal(calls, retries ? 3 : 1, `${reason} with ${retryAfterMs}`);
        }
      }
      for (const [retryAfterMs, expected] of [
        [undefined, 1],
        [1, 3],
      ] as const) {
        calls = 0;
        thrown = refusal("OF_A_NEWER_SERVICE", retryAfterMs);
        await assert.rejects(client.calls.listGames({}), { reason: "OF_A_NEWER_SERVICE", retryAfterMs });
        assert.equal(calls, expected);
      }
    },
  );
});

test("a repetition has the same request id, and what is unsafe is not repeated", async () => {
  const ids: (string | undefined)[] = [];
  let pings = 0;
  await serve(
    ({ service }) => {
      service(v1.MatchService, {
        resign({ requestId }) {
          ids.push(requestId);
          throw refusal("OUTCOME_UNKNOWN");
        },
      });
      service(v1.WebhookService, {
        pingWebhook() {
          pings += 1;
          throw refusal("OVERLOADED", 1);
        },
      });
    },
    async (client) => {
      const seat = client.seat("id", "mbs_token");
      await assert.rejects(seat.resign(), (error) => isRefused(error, "OUTCOME_UNKNOWN"));
      assert.equal(ids.length, 3);
      assert.match(ids[0] ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(new Set(ids).size, 1);
      await assert.rejects(seat.resign({ requestId: "mine" }), Refused);
      assert.deepEqual(ids.slice(3), ["mine", "mine", "mine"]);
      await assert.rejects(client.webhooks.ping("id"), (error) => isRefused(error, "OVERLOADED"));
      assert.equal(pings, 1);
    },
  );
});

test("unknown kinds, enum values, fields and frames of a newer service are tolerated", async () => {
  const unknown = [{ no: 1000, wireType: 2, data: new BinaryWriter().string("new").finish() }];
  const ended = create(v1.MatchEndedSchema, { result: { outcome: 99 as v1.Outcome, reason: "new" } });
  await serve(
    ({ service }) => {
      service(v1.MatchService, {
        getMatch: () => ({
          match: create(v1.MatchSchema, { status: 77 as v1.MatchStatus, $unknown: unknown } as object),
        }),
        async *watchMatch() {
          yield create(v1.WatchMatchResponseSchema, { frame: { case: "start", value: { headSeq: 2 } } });
          const newer = create(v1.WatchMatchResponseSchema, {});
          newer.$unknown = unknown;
          yield newer;
          const event = create(v1.EventSchema, { seq: 1 });
          event.$unknown = unknown;
          yield create(v1.WatchMatchResponseSchema, { frame: { case: "event", value: event } });
          const last = create(v1.EventSchema, { seq: 2, kind: { case: "matchEnded", value: ended } });
          yield create(v1.WatchMatchResponseSchema, { frame: { case: "event", value: last } });
        },
      });
    },
    async (client) => {
      assert.equal((await client.match("id").get()).status, 77);
      const events: MatchEvent[] = [];
      for await (const event of client.match("id").watch({ afterSeq: 0 })) events.push(event);
      assert.deepEqual(
        events.map(({ kind }) => kind),
        [undefined, "matchEnded"],
      );
      assert.equal(events[0]?.seat ?? events[0]?.notation ?? events[0]?.time, undefined);
      assert.equal(events[1]?.result?.outcome, 99);
      const kept = toBinary(v1.EventSchema, events[0]?.message ?? assert.fail());
      assert(Buffer.from(kept).includes("new"));
    },
  );
});
