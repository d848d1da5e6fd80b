/** Every kind of call against a real service. */

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { bank, connect, isRefused, type Match, Matchbook, perMove, Refused, Seat } from "matchbook";
import { Prospects, Visibility } from "matchbook/v1";
import { collect, Service } from "./service.js";

let open: Service;
let keyed: Service;
let client: Matchbook;
let app: Matchbook;
before(async () => {
  open = await Service.start();
  keyed = await Service.start({ roles: ["app", "admin"] });
  client = connect({ url: open.url });
  app = new Matchbook({ url: keyed.url, apiKey: keyed.keys["app"] });
});
after(async () => {
  client.close();
  app.close();
  await open.kill();
  await keyed.kill();
});

async function start(on = client): Promise<[Seat, Seat, Match]> {
  const match = await on.createMatch("ludus-magus");
  return [await match.claim(0, "Ann"), await match.claim(1, "Ben"), match];
}

test("games are listed and one is described", async () => {
  const games = await collect(client.games());
  assert.deepEqual(games.map(({ gameId }) => gameId).sort(), [
    "ace-exorcist",
    "angels-and-demons",
    "cresnovian-chess",
    "ludus-magus",
  ]);
  assert.match((await client.game("ludus-magus")).rulesText, /Ludus/);
});

test("a match has the terms that it was created with", async () => {
  const options = { rows: 4, cols: 6, turns: 3 };
  const terms = {
    options,
    timeControl: bank(300_000, 5000),
    visibility: "unlisted",
    forbidTakebacks: true,
  } as const;
  const match = await client.createMatch("angels-and-demons", terms);
  assert.equal(match.info?.options?.game.case, "angelsAndDemons");
  assert.equal(match.info.options.game.value.cols, 6);
  const info = await match.get();
  assert.equal(info.visibility, Visibility.UNLISTED);
  assert.equal(info.forbidTakebacks, true);
  assert.equal(info.timeControl?.kind.case, "bank");
  assert.equal(info.timeControl.kind.value.increment?.seconds, 5n);
  const slow = await client.createMatch("ludus-magus", { timeControl: perMove(500) });
  assert.equal(slow.info?.timeControl?.kind.case, "perMove");
  assert.equal(slow.info.timeControl.kind.value.moveTime?.nanos, 500_000_000);
});

test("a seat claimed with the match plays", async () => {
  const angels = await client.createAndClaim("angels-and-demons", 0, "Ann", {
    options: { rows: 4, cols: 4 },
  });
  const demons = await client.match(angels.matchId).claim(1, "Ben");
  assert.equal((await angels.play("3,3")).events[0]?.kind, "moveSealed");
  const resumed = client.seat(angels.matchId, demons.token);
  assert.equal(resumed.seat, undefined);
  assert.equal((await resumed.view()).viewer?.seat, 1);
  assert.equal(await client.match(angels.matchId).countSpectators(), 0);
});

test("a listed move is for its position only", async () => {
  const [light, , match] = await start();
  const [first, second] = await light.legalMoves();
  assert(first && second);
  const played = await light.play(first);
  assert.equal(played.events[0]?.notation, first.notation);
  assert.equal(played.events[0].seat, 0);
  assert.match(played.receipt, /^[0-9a-f]{64}@\d+$/);
  const refused = await light.play(second).catch((error: unknown) => error);
  assert(isRefused(refused, "STALE_POSITION"));
  assert.equal(refused.actualSeq, played.events[0].seq);
  assert.equal((await match.view({ atSeq: 4 })).seq, 4);
  assert.equal((await collect(match.events({ afterSeq: 4 }))).length, 1);
});

test("a refusal has its reason, paragraph, fields and call id", async () => {
  const [light] = await start();
  const illegal = await light.play("a1-h8").catch((error: unknown) => error);
  assert(isRefused(illegal, "ILLEGAL_MOVE"));
  assert.match(illegal.paragraph ?? "", /^LM-/);
  assert.equal(illegal.code, "FailedPrecondition");
  assert.equal(illegal.isTransient, false);
  assert.notEqual(illegal.callId, "");
  assert.equal((await light.check("a1-h8"))?.reason, "ILLEGAL_MOVE");
  assert.equal(await light.check("a1-a2"), undefined);
  const invalid = await client
    .match("no-uuid")
    .get()
    .catch((error: unknown) => error);
  assert(isRefused(invalid, "INVALID_ARGUMENT"));
  assert.equal(invalid.fields[0]?.path, "match_id");
  await assert.rejects(client.game("chess"), (error) => isRefused(error, "UNKNOWN_GAME"));
  assert(!isRefused(invalid, "UNKNOWN_GAME") && !isRefused(new Error("other")));
});

test("seats propose, answer, resign, abort and play again", async () => {
  const [light, dark] = await start();
  await light.play("a1-a2");
  await light.propose("takeback");
  const taken = await dark.accept("takeback");
  assert.equal(taken.events[0]?.kind, "proposalAnswered");
  await dark.propose("draw");
  await light.decline("draw");
  await light.propose("draw");
  assert.equal((await dark.accept("draw")).isOver, true);
  const again = await light.rematch();
  assert(again instanceof Seat);
  assert.equal(again.seat, 1);
  const other = await dark.rematch();
  assert.equal(other.matchId, again.matchId);
  assert.equal((await again.resign()).result?.reason, "resignation");
  const [first] = await start();
  assert.equal((await first.abort()).result?.reason, "aborted");
});

test("a greedy suggestion is judged and repeatable", async () => {
  const [light] = await start();
  const one = await light.suggest("greedy", { seed: 1 });
  assert.equal((await light.suggest("greedy", { seed: 1 })).notation, one.notation);
  assert.notEqual(one.prospects, Prospects.UNSPECIFIED);
  const nobody = light.suggest("brilliant" as "greedy");
  await assert.rejects(nobody, new TypeError('unknown name "brilliant"'));
});

test("a finished match is forked, signed, seen openly and exported as the file of REST", async () => {
  const [light, dark, match] = await start();
  await light.play("a1-a2");
  await dark.resign();
  assert.equal((await (await match.fork({ atSeq: 5 })).view()).seq, 1);
  assert.equal((await match.signHead()).seq, 6);
  assert.equal((await match.view({ openView: true })).seq, 6);
  const log = await match.export();
  const file = await (await fetch(`${open.url}/v1/matches/${match.matchId}/log`)).text();
  assert.equal(`${log.lines.join("\n")}\n`, file);
  const logs = await collect(client.exportMatches({ gameId: "ludus-magus", status: "over" }));
  const same = logs.find(({ matchId }) => matchId === match.matchId);
  assert(same && "lines" in same);
  assert.deepEqual(same.lines, log.lines);
  assert.equal((await collect(client.keys())).length, 1);
});

test("the feed has every event once and goes on after a cursor", async () => {
  const first = await collect(client.feed({ follow: false }));
  const [light] = await start();
  const rest = client.feed({ after: first.at(-1)?.cursor ?? "", follow: false });
  const events = await collect(rest);
  assert.deepEqual(
    events.map(({ matchId, event }) => [matchId, event.seq]),
    [1, 2, 3, 4].map((seq) => [light.matchId, seq]),
  );
  assert.notEqual(rest.cursor, "");
});

test("an app has labels, external ids, private matches and webhooks", async () => {
  const terms = { labels: { round: "1" }, externalId: "final", visibility: "private" } as const;
  const match = await app.createMatch("ludus-magus", terms);
  assert.deepEqual(match.info?.labels, { round: "1" });
  const found = await collect(app.matches({ labels: { round: "1" }, externalId: "final", status: "open" }));
  assert.deepEqual(
    found.map(({ matchId }) => matchId),
    [match.matchId],
  );
  assert.deepEqual((await match.setLabels({})).labels, {});
  assert.equal((await app.getMatches([match.matchId]))[0]?.externalId, "final");
  const taken = app.createMatch("ludus-magus", { externalId: "final" });
  await assert.rejects(taken, (error) => isRefused(error, "EXTERNAL_ID_TAKEN"));
  const seat = await match.claim(0, "Ann", { playerId: "p-1" });
  const rotated = await match.rotateToken(0);
  assert.equal((await rotated.view()).viewer?.seat, 0);
  await assert.rejects(seat.view(), (error) => isRefused(error, "BAD_TOKEN"));
  assert.equal((await match.redactPlayer(0)).seats[0]?.player, undefined);
  const anonymous = new Matchbook({ url: keyed.url });
  await assert.rejects(anonymous.match(match.matchId).get(), (error) => isRefused(error, "UNKNOWN_MATCH"));
  anonymous.close();
});

test("webhooks are managed with the app's key", async () => {
  const made = await app.webhooks.create("https://shop.example/hook", { kinds: ["match_ended"] });
  assert.match(made.secret, /^whsec_/);
  const id = made.webhook?.webhookId ?? "";
  assert.equal((await app.webhooks.update(id, { enabled: false })).webhookId, id);
  assert.equal((await app.webhooks.get(id)).url, "https://shop.example/hook");
  assert.equal((await collect(app.webhooks.list())).length, 1);
  assert.deepEqual(await collect(app.webhooks.deadLetters(id)), []);
  assert.equal(await app.webhooks.retryDeadLetters(id), 0);
  const generation = made.webhook?.secretGeneration ?? 0;
  assert.notEqual((await app.webhooks.rotateSecret(id, generation)).secret, made.secret);
  await app.webhooks.delete(id);
  await assert.rejects(app.webhooks.get(id), (error) => isRefused(error, "UNKNOWN_WEBHOOK"));
});

test("every RPC can be called as it is, with the credentials of its owner", async () => {
  const [light] = await start();
  const { view } = await light.calls.getView({ matchId: light.matchId });
  assert.equal(view?.viewer?.seat, 0);
  const { view: other } = await client.calls.getView({ matchId: light.matchId });
  assert.equal(other?.viewer?.seat, undefined);
  const records = await collect(client.calls.exportLog({ matchId: light.matchId }));
  assert.equal(records.at(-1)?.record.case, "head");
});

test("a stream of moves answers each one and ends with its requests", async () => {
  const [light, dark, match] = await start();
  const requests = new PassThrough({ objectMode: true });
  const send = (callId: bigint, { token }: Seat, notation: string) => {
    const input = { case: "notation", value: notation } as const;
    requests.write({ callId, seatToken: token, move: { matchId: match.matchId, input } });
  };
  const answers = client.calls.submitMoves(requests);
  const next = async () => {
    const { value } = await answers.next();
    assert(value);
    return value;
  };
  send(1n, light, "a1-h8");
  const refused = await next();
  assert(refused.callId === 1n && refused.outcome.case === "refusal");
  assert.equal(refused.outcome.value.reason, "ILLEGAL_MOVE");
  send(2n, light, "a1-a2");
  const made = await next();
  assert(made.outcome.case === "submitted" && made.outcome.value.view?.seq === 5);
  send(3n, dark, (await dark.suggest()).notation);
  requests.end();
  assert.equal((await next()).outcome.case, "submitted");
  assert.deepEqual(await answers.next(), { done: true, value: undefined });
});

test("a stream of moves is aborted by its signal", async () => {
  const abort = new AbortController();
  const silent = new PassThrough({ objectMode: true });
  const answers = client.calls.submitMoves(silent, { signal: abort.signal });
  const first = answers.next();
  abort.abort();
  await assert.rejects(first, { name: "AbortError" });
});

test("no secret is shown by a console or an error, and options are checked", async () => {
  const { inspect } = await import("node:util");
  const [light] = await start();
  assert.doesNotMatch(inspect([light, app], { depth: 9 }), /mbs_|mbk_/);
  const secret = `mbk_\n${"s3cret"}`;
  assert.throws(
    () => new Matchbook({ apiKey: secret }),
    (error) => !String(error).includes("s3cret"),
  );
  for (const url of ["ftp://host", "127.0.0.1:7420", "http://host/?a=b"]) {
    assert.throws(() => new Matchbook({ url }), /write it as https:/);
  }
  assert.throws(() => new Matchbook({ ca: "x" }), /ca has no effect at http/);
  assert.throws(() => new Matchbook({ url: "https://h", ca: "x" }), /no certificate in PEM form/);
  assert.throws(() => light.watch({ afterHash: new Uint8Array(32) }), /must be above 0/);
  const unknown = client.createMatch("go", { options: {} as never });
  await assert.rejects(unknown, /does not know the options of go/);
  assert.equal(
    new Refused("no", { reason: "X", code: "", metadata: {}, fields: [], retryAfterMs: 1, callId: "" })
      .isTransient,
    true,
  );
});
