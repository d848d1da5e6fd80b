/** Bad networks: typed errors or quiet recovery, nothing made twice. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  InsecureConnection,
  isRefused,
  type Match,
  Matchbook,
  Refused,
  type Seat,
  Unreachable,
} from "matchbook";
import { certificate } from "./certificates.js";
import { TestProxy } from "./proxy.js";
import { collect, kept, Service } from "./service.js";

const QUICK = { attempts: 3, initialDelayMs: 10 };
const PATIENT = { attempts: 1000, initialDelayMs: 20, maxDelayMs: 200 };

let service: Service;
let direct: Matchbook;
let proxy: TestProxy;
let client: Matchbook;
before(async () => {
  service = await Service.start();
  direct = new Matchbook({ url: service.url });
});
beforeEach(async () => {
  proxy = await TestProxy.before(service.address);
  client = new Matchbook({ url: proxy.url, retry: PATIENT });
});
afterEach(() => {
  client.close();
  proxy.close();
});
after(async () => {
  direct.close();
  await service.kill();
});

async function start(on: Matchbook): Promise<[Seat, Seat, Match]> {
  const match = await on.createMatch("ludus-magus");
  return [await match.claim(0, "Ann"), await match.claim(1, "Ben"), match];
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a service that is away is unreachable, for calls, lists and streams", async () => {
  const url = "http://127.0.0.1:1";
  const away = new Matchbook({ url, retry: QUICK });
  const isAway = (error: unknown) => error instanceof Unreachable && error.isTransient && error.url === url;
  await assert.rejects(away.createMatch("ludus-magus"), isAway);
  await assert.rejects(collect(away.match("id").watch()), isAway);
  await assert.rejects(collect(away.feed()), isAway);
  await assert.rejects(collect(away.games()), isAway);
  await assert.rejects(away.match("id").export(), isAway);
  const nowhere = new Matchbook({ url: "http://no-such-host.invalid:7420", retry: QUICK });
  await assert.rejects(nowhere.game("ludus-magus"), Unreachable);
});

test("a service that never answers is unreachable after the timeout", async () => {
  const silent = createServer(() => undefined);
  const url = await listen(silent);
  const waiting = new Matchbook({ url, timeoutMs: 200, retry: { attempts: 1 } });
  await assert.rejects(waiting.game("ludus-magus"), Unreachable);
  waiting.close();
  silent.close();
});

test("a URL of something else is an error, not a hang", async () => {
  const website = createHttpServer((_, response) => response.end("<html>"));
  const url = await listen(website);
  const wrong = new Matchbook({ url, retry: QUICK, timeoutMs: 5000 });
  await assert.rejects(wrong.game("ludus-magus"), Unreachable);
  wrong.close();
  website.close();
  website.closeAllConnections();
  const path = new Matchbook({ url: `${service.url}/elsewhere`, retry: QUICK });
  const refused = await path.game("ludus-magus").catch((error: unknown) => error);
  assert(refused instanceof Refused && !refused.isTransient);
  path.close();
});

test("TLS is trusted with the service's certificate alone", async () => {
  const { certificate: file, key } = certificate();
  const other = readFileSync(certificate().certificate, "utf8");
  const settings = ["--tls-cert", file, "--tls-key", key];
  const secure = await Service.start({ settings, scheme: "https" });
  const trusting = new Matchbook({ url: secure.url, ca: readFileSync(file, "utf8"), timeoutMs: 120_000 });
  assert.equal((await trusting.createMatch("ludus-magus")).info?.gameId, "ludus-magus");
  trusting.close();
  for (const ca of [other, undefined]) {
    const wary = new Matchbook({ url: secure.url, ca, timeoutMs: 120_000 });
    await assert.rejects(
      wary.game("ludus-magus"),
      (error) => error instanceof InsecureConnection && !error.isTransient,
    );
    wary.close();
  }
  for (const url of [`http://${secure.address}`, `https://${service.address}`]) {
    const unlike = new Matchbook({ url, retry: QUICK });
    await assert.rejects(unlike.game("ludus-magus"), Unreachable);
    unlike.close();
  }
  await secure.kill();
});

test("a lost answer is asked for again, and nothing is made twice", async () => {
  await client.game("ludus-magus");
  proxy.loseTheNextAnswer();
  const match = await client.createMatch("ludus-magus");
  proxy.loseTheNextAnswer();
  const light = await match.claim(0, "Ann");
  const dark = await match.claim(1, "Ben");
  assert((await light.legalMoves()).isComplete, "the token came with the second answer");
  proxy.loseTheNextAnswer();
  assert.equal((await light.play("a1-a2")).events[0]?.notation, "a1-a2");
  proxy.loseTheNextAnswer();
  assert.equal(await light.renewToken(), light.token);
  assert.equal((await dark.resign()).isOver, true);
  assert(proxy.connections >= 5);
  const kinds = (await collect(direct.match(match.matchId).events())).map(({ kind }) => kind);
  const wanted = [
    "matchCreated",
    "seatClaimed",
    "seatClaimed",
    "matchStarted",
    "moveMade",
    "seatTokenRotated",
  ];
  assert.deepEqual(kinds, [...wanted, "matchEnded"]);
});

test("a cut watch goes on without a gap or a double", async () => {
  const [light, dark, { matchId }] = await start(direct);
  const watch = client.match(matchId).watch({ afterSeq: 0 });
  const events = watch[Symbol.asyncIterator]();
  const seen: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const seat = turn % 2 === 0 ? light : dark;
    const last = (await seat.play(await seat.suggest("random", { seed: turn }))).events.at(-1);
    while ((watch.seq ?? 0) < (last?.seq ?? 0)) seen.push((await events.next()).value?.seq ?? 0);
    assert.deepEqual(watch.hash, last?.hash);
    if (turn % 3 === 0) proxy.cut();
  }
  await dark.resign();
  for await (const { seq } of events) seen.push(seq);
  assert.deepEqual(
    seen,
    [...Array(seen.length).keys()].map((index) => index + 1),
  );
  assert(seen.length >= 17 && proxy.connections >= 4);
});

test("a watch that was left goes on behind the last event", async () => {
  const [light, dark, match] = await start(direct);
  const watch = match.watch({ afterSeq: 0 });
  for await (const { seq } of watch) if (seq === 3) break;
  await light.play("a1-a2");
  await dark.resign();
  assert.deepEqual(
    (await collect(watch)).map(({ seq }) => seq),
    [4, 5, 6],
  );
  const resumed = match.watch({ afterSeq: 5, afterHash: new Uint8Array(32) });
  await assert.rejects(collect(resumed), (error) => isRefused(error, "HISTORY_CHANGED"));
});

test("an abort ends calls, retries and streams with the signal's reason", async () => {
  const [light, , match] = await start(direct);
  const reason = new Error("enough");
  await assert.rejects(light.view({ signal: AbortSignal.abort(reason) }), reason);
  const retrying = new Matchbook({ url: "http://127.0.0.1:1", retry: { ...PATIENT, maxDelayMs: 60_000 } });
  const abort = new AbortController();
  const call = retrying.game("ludus-magus", { signal: abort.signal });
  const stream = collect(match.watch({ signal: abort.signal }));
  while ((await match.countSpectators()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort(reason);
  await assert.rejects(call, reason);
  await assert.rejects(stream, reason);
  assert.equal((await light.play("a1-a2")).events.length, 1, "the client is still usable");
});

test("a token that becomes void ends the watch of its seat", async () => {
  const [light, , match] = await start(direct);
  const watch = light.watch({ afterSeq: 0 });
  const reading = collect(watch);
  reading.catch(() => undefined);
  while (watch.seq !== 4) await new Promise((resolve) => setTimeout(resolve, 5));
  const owner = match.seat(light.token);
  await owner.renewToken();
  assert.equal(owner.seat, 0);
  await assert.rejects(reading, (error) => isRefused(error, "BAD_TOKEN"));
  const resumed = owner.watch({ afterSeq: watch.seq, afterHash: watch.hash });
  await owner.resign();
  assert.equal((await collect(resumed)).at(-1)?.kind, "matchEnded");
});

test("a restart during a watch is not noticed", async () => {
  const own = await Service.start({ settings: kept() });
  const patient = new Matchbook({ url: own.url, retry: PATIENT });
  const [light, dark] = await start(patient);
  const events = light.watch({ afterSeq: 0 })[Symbol.asyncIterator]();
  const seen: (number | undefined)[] = [];
  for (let count = 0; count < 4; count++) seen.push((await events.next()).value?.seq);
  await own.restart();
  await light.play("a1-a2");
  seen.push((await events.next()).value?.seq);
  await own.restart();
  await dark.resign();
  for await (const { seq } of events) seen.push(seq);
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  patient.close();
  await own.kill();
});

test("restarts during moves lose and double nothing", async () => {
  const own = await Service.start({ settings: kept() });
  const patient = new Matchbook({ url: own.url, retry: PATIENT });
  const [light, dark, match] = await start(patient);
  const made: string[] = [];
  let restarts = 0;
  const playing = (async () => {
    while (restarts < 3 && made.length < 2000) {
      const seat = made.length % 2 === 0 ? light : dark;
      made.push((await seat.play(await seat.suggest())).receipt);
    }
  })();
  for (; restarts < 3; restarts++) {
    const reached = made.length;
    while (made.length < reached + 5) await new Promise((resolve) => setTimeout(resolve, 2));
    await own.restart();
  }
  await playing;
  const logged = (await collect(match.events()))
    .filter(({ notation }) => notation)
    .map(({ receipt }) => receipt);
  assert.deepEqual(logged, made);
  assert(made.length >= 15);
  patient.close();
  await own.kill();
});

test("a slow reader gets everything, and others are served meanwhile", async () => {
  const [light, dark, match] = await start(direct);
  const slow = client.match(match.matchId).watch({ afterSeq: 0, views: true })[Symbol.asyncIterator]();
  await slow.next();
  let head = 4;
  for (let turn = 0; turn < 150; turn++) {
    const seat = turn % 2 === 0 ? light : dark;
    const moves = await seat.legalMoves({ limit: 3 });
    const { view } = await seat.play(moves.moves.at(-1) ?? assert.fail());
    head = view.seq;
    if (view.result) break;
  }
  if ((await match.get()).result === undefined) head = (await light.resign()).view.seq;
  const rest = (await collect(slow)).map(({ seq }) => seq);
  assert.deepEqual(
    rest,
    [...Array(head - 1).keys()].map((index) => index + 2),
  );
});

test("exports over a cut connection are complete", async () => {
  for (let count = 0; count < 3; count++) await (await start(direct))[0].resign();
  const filter = { gameId: "ludus-magus", status: "over" } as const;
  const whole = await collect(direct.exportMatches(filter));
  await client.game("ludus-magus");
  proxy.loseTheNextAnswer();
  assert.deepEqual(await collect(client.exportMatches(filter)), whole);
  proxy.loseTheNextAnswer();
  const [first] = whole;
  assert(first && "lines" in first);
  assert.deepEqual((await client.match(first.matchId).export()).lines, first.lines);
  assert(proxy.connections >= 3);
});

test("Ctrl-C ends a watcher at once, and its seat stays", async () => {
  const [light] = await start(direct);
  const program = `import { Matchbook } from "matchbook";
    const [url, id, token] = process.argv.slice(1);
    const watch = new Matchbook({ url }).seat(id, token).watch({ afterSeq: 0 });
    for await (const { seq } of watch) console.log(seq);`;
  const options = ["--input-type=module", "--eval", program, service.url, light.matchId, light.token];
  const cwd = new URL(".", import.meta.url);
  const watcher = spawn(process.execPath, options, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(watcher.stdout)[Symbol.asyncIterator]();
  for (const seq of ["1", "2", "3", "4"]) assert.equal((await lines.next()).value, seq);
  const ended = once(watcher, "exit");
  watcher.kill("SIGINT");
  assert.deepEqual(await ended, [null, "SIGINT"]);
  assert.equal((await light.play("a1-a2")).events[0]?.notation, "a1-a2");
});
