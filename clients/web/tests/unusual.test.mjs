// What is unusual: words that are markup, a lost network, answers of something else than the service, a board
// that is redrawn while someone looks at the past.

import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";

import { openWindow, seatAt, sessionOf } from "./running.mjs";
import { browser, faults, service } from "./stage.mjs";

const suggested = async ({ id, tokens }, seat) => {
  const { notation } = await service.call(`/v1/matches/${id}/moves:suggest`, undefined, tokens[seat]);
  return service.call(`/v1/matches/${id}/moves`, { notation }, tokens[seat]);
};

test("the words of a poem are text in the drawing, the list and the story", async () => {
  const names = ["<b>Ada</b>", "&lt;Ben\"'"];
  const match = await service.match({ gameId: "cresnovian-chess" }, names);
  for (const seat of [0, 1]) await suggested(match, seat);
  const markup = ["<script>alert(1)</script>", "<img/src=x>", "</style><style>", "</text></svg>"];
  const words = [...markup, "]]>", "&amp;", "${1}", "{{x}}", "javascript:1"];
  const { view } = await service.call(`/v1/matches/${match.id}/view`);
  await service.call(
    `/v1/matches/${match.id}/moves`,
    { notation: `document ${words.join(" ")}` },
    match.tokens[view.toAct[0]],
  );
  const page = await openWindow(browser, faults);
  page.on("dialog", () => faults.push("a word was executed"));
  await page.goto(`${service.url}/matches/${match.id}`);
  await page.locator("match-board svg [data-word]").first().waitFor();
  const drawn = (await page.locator("match-board svg [data-word]").allTextContents()).join(" ");
  for (const word of words) assert.ok(drawn.includes(word.slice(0, 8)), `${word}: ${drawn}`);
  for (const word of words) await page.locator(".story").filter({ hasText: word }).waitFor();
  await page.locator("move-list").getByText(words[0]).waitFor();
  for (const name of names) await page.locator("match-clocks bdi").filter({ hasText: name }).waitFor();
  assert.equal(await page.locator("main :is(img, script, style, b)").count(), 0);
  assert.equal(await page.locator("match-board svg :is(img, script, foreignObject, a)").count(), 0);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("after the network was lost, each event is there once", async () => {
  const match = await service.match({ gameId: "angels-and-demons" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("move-builder").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Offer a draw" }).click();
  for (const [seat, notation] of [[0, "1,1"], [1, "2,2"], [0, "3,3"], [1, "4,4"]]) {
    await service.call(`/v1/matches/${match.id}/moves`, { notation }, match.tokens[seat]);
  }
  await page.context().setOffline(false);
  await page.evaluate(() => document.querySelector("match-page").session.reconnect());
  await page.waitForFunction(() => document.querySelector("match-page").session.view.seq >= 10);
  const { seqs, seq } = await sessionOf(page);
  assert.deepEqual(seqs, Array.from({ length: seq }, (_, index) => index + 1));
  await page.context().close();
});

test("answers that are not the service's are told, and are no moves and no boards", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  const answer = (path, contentType, body) =>
    page.route(path, (route) => route.fulfill({ contentType, body }));
  const signIn = "<html><body onload='alert(1)'>Sign in to this network</body></html>";
  await answer("**/board.svg*", "text/html", signIn);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.getByText("What answers is not the service").waitFor();
  await page.unroute("**/board.svg*");
  await page.reload();
  for (const [contentType, body] of [
    ["application/json", "[]"],
    ["application/json", "null"],
    ["text/html", signIn],
  ]) {
    await answer("**/moves", contentType, body);
    await page.locator('match-board button[value="d1"]').click();
    await page.locator('match-board button[value="d2"]').click();
    await page
      .locator("move-builder .refusal")
      .filter({ hasText: /service/ })
      .waitFor();
    await page.unroute("**/moves");
    assert.equal((await sessionOf(page)).seq, 4);
    if (body !== signIn) await page.reload();
  }
  await page.locator("button.play").click();
  await page.waitForFunction(() => document.querySelector("match-page").session.view.seq === 5);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a watch that is no watch is a lost connection, and takes neither time nor memory", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  let answers = 0;
  // What stands between: garbage, nothing, and lines without an end as fast as they are taken.
  const between = createServer((request, response) => {
    if (!request.url.includes("/watch?")) {
      const { method, headers } = request;
      return ask(service.url + request.url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      }).end();
    }
    answers += 1;
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    if (answers === 1) return response.end("{bad\n");
    if (answers === 2) return response.end("null\n");
    Readable.from(
      (function* () {
        for (;;) yield "x".repeat(65_536);
      })(),
    ).pipe(response);
  });
  await new Promise((resolve) => between.listen(0, "127.0.0.1", resolve));
  const page = await openWindow(browser, faults);
  await page.goto(`http://127.0.0.1:${between.address().port}/matches/${match.id}`);
  await page.getByText("The connection is lost").waitFor();
  await page.locator("match-board svg").waitFor();
  while (answers < 5) await page.waitForResponse(/\/watch\?/);
  await page.getByText("The connection is lost").waitFor();
  assert.equal(await page.evaluate(() => document.querySelector("match-page").session.connection), "lost");
  assert.deepEqual(faults, []);
  await page.context().close();
  between.closeAllConnections();
  between.close();
});

test("a new event does not take someone away from the past", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  for (const seat of [0, 1, 0]) await suggested(match, seat);
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/matches/${match.id}?at=5`);
  await page.waitForFunction(() => document.querySelector("match-page")?.shownSeq === 5);
  await suggested(match, 1);
  await page.waitForFunction(() => document.querySelector("match-page").session.view.seq === 8);
  await page.locator(".status").filter({ hasText: "Position 5 of 8" }).waitFor();
  assert.equal(await page.evaluate(() => document.querySelector("match-page").shownSeq), 5);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("match-page").shownSeq === 8);
  await suggested(match, 0);
  await page.waitForFunction(() => document.querySelector("match-page").shownSeq === 9);
  assert.deepEqual(faults, []);
  await page.context().close();
});
