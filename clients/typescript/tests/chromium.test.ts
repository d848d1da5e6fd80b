/** The package in Chromium, over gRPC-Web. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Matchbook } from "matchbook";
import type { PageProgram } from "./page_program.js";
import { bundle, PACKAGE, Pages } from "./pages.js";
import { TestProxy } from "./proxy.js";
import { Service } from "./service.js";

declare const program: PageProgram;

let pages: Pages;
let service: Service;
before(async () => {
  pages = await Pages.start();
  service = await Service.start({ settings: ["--cors-origins", pages.origin] });
  pages.add("/", "text/html", '<!doctype html><script type="module" src="program.js"></script>');
  const source = "tests/page_program.ts";
  pages.add("/program.js", "text/javascript", await bundle({ entryPoints: [source] }));
});
after(async () => {
  await pages.close();
  await service.kill();
});

test("the example plays a whole match", async () => {
  const [html, source] = ["example/index.html", "example/main.ts"].map((path) => `${PACKAGE}${path}`);
  assert(html && source);
  const lines = [html, source].flatMap((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
  assert(lines.length <= 60, `the example has ${lines.length} lines`);
  pages.add("/example/", "text/html", readFileSync(html, "utf8"));
  pages.add("/example/main.js", "text/javascript", await bundle({ entryPoints: [source] }));
  const { page, faults } = await pages.open(`/example/?url=${service.url}`);
  const status = page.locator("#status");
  while (!(await status.textContent())?.startsWith("Over")) {
    // The buttons change while the bot moves, so the click is the page's own.
    await page.evaluate(() => document.querySelector("button")?.click());
  }
  assert.match(
    (await page.locator("#events").textContent()) ?? "",
    /matchCreated.*turnRevealed.*matchEnded/s,
  );
  assert.deepEqual(faults, []);
});

for (const gameId of ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"]) {
  test(`a page plays ${gameId}`, async () => {
    const { page } = await pages.open("/");
    const play = ([url, game]: [string, string]) => program.playBothSeats(url, game);
    const { seqs, reason } = await page.evaluate(play, [service.url, gameId] as [string, string]);
    assert.notEqual(reason, undefined);
    assert.deepEqual(
      seqs,
      seqs.map((_, index) => index + 1),
    );
  });
}

test("a page's watch survives cuts without a gap or a double", async () => {
  const proxy = await TestProxy.before(service.address);
  const direct = new Matchbook({ url: service.url });
  const match = await direct.createMatch("ludus-magus");
  const [light, dark] = [await match.claim(0, "Ann"), await match.claim(1, "Ben")];
  const { page } = await pages.open("/");
  const watching = page.evaluate(([url, id]) => program.watch(url, id), [proxy.url, match.matchId] as [
    string,
    string,
  ]);
  let head = 4;
  for (const seat of [light, dark, light, dark]) {
    const sent = await seat.play(await seat.suggest());
    head = sent.events.at(-1)?.seq ?? head;
    await page.waitForFunction((seq) => program.seen().includes(seq), head);
    proxy.cut();
  }
  await dark.resign();
  await watching;
  const seen = await page.evaluate(() => program.seen());
  assert.deepEqual(
    seen,
    Array.from({ length: head + 1 }, (_, index) => index + 1),
  );
  assert(proxy.connections >= 4);
  proxy.close();
  direct.close();
});

test("a page gets typed refusals, aborts, and notices that a service is away", async () => {
  const direct = new Matchbook({ url: service.url });
  const { matchId } = await direct.createMatch("ludus-magus");
  direct.close();
  const { page } = await pages.open("/");
  const refusal = await page.evaluate((url) => program.refusal(url), service.url);
  assert.deepEqual(
    { ...refusal, paragraph: undefined },
    { reason: "ILLEGAL_MOVE", paragraph: undefined, hasCallId: true },
  );
  assert.match(String(refusal["paragraph"]), /^LM-/);
  const watched = [service.url, matchId] as [string, string];
  assert.equal(await page.evaluate(([url, id]) => program.abort(url, id), watched), "AbortError");
  const streamed = await page.evaluate((url) => program.streamOfMoves(url), service.url);
  assert.equal(streamed, "TypeError: browsers cannot send a stream of requests");
  assert.equal(await page.evaluate(() => program.unreachable("http://127.0.0.1:1")), true);
});
