// What lasts: two tabs of one seat, the back button, reloads, a page that was frozen and offline, lists that
// rest, and the memory of a page that has seen very many events.

import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { test } from "node:test";

import { openWindow, seatAt, sessionOf } from "./running.mjs";
import { browser, faults, service } from "./stage.mjs";

/** How many events a page sees, and how many of them before its memory is first measured. */
const [EVENTS, FIRST] = [10_000, 1000];

/** What the memory may grow by meanwhile: 9000 events with their facts, and no more than that. */
const MAX_GROWTH_BYTES = 20_000_000;

const move = ({ id, tokens }, seat, notation) =>
  service.call(`/v1/matches/${id}/moves`, { notation }, tokens[seat]);
const reached = (page, seq) =>
  page.waitForFunction((seq) => document.querySelector("match-page")?.session?.view?.seq >= seq, seq);
const eachOnce = async (page) => {
  await page.waitForFunction(() => document.querySelector("match-page").session.isComplete);
  const { seqs, seq } = await sessionOf(page);
  assert.deepEqual(seqs, Array.from({ length: seq }, (_, index) => index + 1));
};

test("two tabs of one seat show the same, and a move of one is no move of the other", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  for (const one of [page, tab]) await one.locator('match-board button[value="d1"]').waitFor();
  await tab.locator('match-board button[value="d1"]').click();
  await tab.locator('match-board button[value="d2"]').waitFor();
  await page.locator('match-board button[value="d1"]').click();
  await page.locator('match-board button[value="d2"]').click();
  for (const one of [page, tab]) {
    await reached(one, 5);
    await one.locator("move-builder").waitFor({ state: "detached" });
    assert.equal(await one.locator("match-board button").count(), 0);
  }
  await move(match, 1, "e8-e7");
  for (const one of [page, tab]) {
    await one.locator('match-board button[value="d2"]').waitFor();
    await eachOnce(one);
  }
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("the back button and reloads lead to what was there", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  await move(match, 0, "d1-d2");
  await move(match, 1, "e8-e7");
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("move-builder").waitFor();
  await page.keyboard.press("Home");
  await page.waitForURL(/\?at=1$/);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("match-page")?.shownSeq === 1);
  await page.getByRole("link", { name: "Matchbook", exact: true }).click();
  await page.locator(".matches li").first().waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("match-page")?.shownSeq === 1);
  await page.getByRole("button", { name: "Back to the newest position" }).click();
  await page.locator('match-board button[value="d2"]').click();
  await page.locator("match-board button.chosen").waitFor();
  await page.reload();
  await page.locator('match-board button[value="d2"]:not(.chosen)').waitFor();
  await eachOnce(page);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a page that slept offline has each event once when it wakes", async () => {
  const match = await service.match({ gameId: "angels-and-demons" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("move-builder").waitFor();
  const client = await page.context().newCDPSession(page);
  const happened = () => page.evaluate(() => window.happened);
  await page.evaluate(() => {
    window.happened = [];
    const { session } = document.querySelector("match-page");
    session.addEventListener("happened", ({ detail }) => window.happened.push(detail.seq));
  });
  await page.context().setOffline(true);
  await client.send("Page.setWebLifecycleState", { state: "frozen" });
  for (const [seat, notation] of [
    [0, "1,1"],
    [1, "2,2"],
    [0, "3,3"],
    [1, "4,4"],
  ])
    await move(match, seat, notation);
  await page.context().setOffline(false);
  await client.send("Page.setWebLifecycleState", { state: "active" });
  await page.evaluate(() => document.querySelector("match-page").session.reconnect());
  await reached(page, 10);
  await eachOnce(page);
  assert.deepEqual(await happened(), [5, 6, 7, 8, 9, 10]);
  await page.locator("move-builder").waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});

// Stands between a page and the service: a watch goes on with events that the service never had.
const prolonged = async ({ id }) => {
  let stream;
  let watched = "";
  const server = createServer((request, response) => {
    const isWatch = request.url.includes("/watch?");
    const url = request.url.includes("/board.svg") ? `/v1/matches/${id}/board.svg` : request.url;
    const { method } = request;
    // Nothing is compressed, so that text can follow text.
    const headers = { ...request.headers, "accept-encoding": "identity" };
    const forwarded = ask(service.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      if (!isWatch) return answer.pipe(response);
      stream = response;
      answer.on("data", (data) => {
        if (!watched.includes("\n")) watched += data;
        response.write(data);
      });
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const frame = (seq) => {
    const first = JSON.parse(watched.split("\n")[0]);
    const proposalMade = { kind: "PROPOSAL_KIND_DRAW", seat: seq % 2 };
    const event = { seq, recordTime: first.serverTime, hash: btoa(String(seq)), facts: [], proposalMade };
    return `${JSON.stringify({ event, serverTime: first.serverTime, view: { ...first.view, seq } })}\n`;
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    send: (from, to) => {
      for (let seq = from; seq <= to; seq++) stream.write(frame(seq));
    },
    stop: () => (server.closeAllConnections(), server.close()),
  };
};

test(`memory is stable over ${EVENTS} events`, async (context) => {
  const match = await service.match({ gameId: "ludus-magus" });
  const long = await prolonged(match);
  context.after(long.stop);
  const page = await openWindow(browser, faults);
  const client = await page.context().newCDPSession(page);
  const used = async () => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize;
  };
  await page.goto(`${long.url}/matches/${match.id}`);
  await page.locator("match-board svg").waitFor();
  await reached(page, 4);
  let first = 0;
  for (let seq = 4; seq < EVENTS; ) {
    const to = Math.min(EVENTS, seq + 200);
    long.send(seq + 1, to);
    await reached(page, to);
    seq = to;
    if (first === 0 && seq >= FIRST) first = await used();
  }
  const growth = (await used()) - first;
  console.log(`${first} bytes after about ${FIRST} events, ${growth} more after ${EVENTS}`);
  assert.ok(growth < MAX_GROWTH_BYTES, `${growth} bytes`);
  await eachOnce(page);
  assert.ok((await page.locator("move-list li").count()) < 100, "the list draws what is near alone");
  assert.deepEqual(faults, []);
  await page.context().close();
});

/** Tells a page that it is seen, or that it is not. */
const see = (page, state) => page.evaluate((state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}, state);

const rested = (page) => page.waitForFunction(() => !document.querySelector("home-page")?.isPolling);

test("lists that can't be read are read again less and less often", async () => {
  const page = await openWindow(browser, faults);
  let [asked, isRefused] = [0, true];
  await page.route("**/v1/games?*", (route) => {
    asked += 1;
    if (!isRefused) return route.continue();
    return route.fulfill({ status: 500, json: { error: { status: "INTERNAL", message: "no games" } } });
  });
  await page.clock.install();
  await page.goto(`${service.url}/`);
  await page.getByText("No games.").waitFor();
  for (const [seconds, times] of [[5, 1], [1, 2], [11, 2], [1, 3], [23, 3], [1, 4]]) {
    await page.clock.runFor(1000 * seconds);
    await rested(page);
    assert.equal(asked, times);
  }
  isRefused = false;
  await page.clock.runFor(48_000);
  await page.locator(".games h3").getByText("Ludus Magus").waitFor();
  await page.getByText("No games.").waitFor({ state: "detached" });
  await page.context().close();
});

test("the lists rest while the page is hidden, and are new at once when it is seen again", async () => {
  const page = await openWindow(browser, faults);
  let asked = 0;
  page.on("request", (request) => (asked += /\/v1\/matches\?/.test(request.url()) ? 1 : 0));
  await page.clock.install();
  await page.goto(`${service.url}/`);
  await page.locator(".matches").first().waitFor();
  await rested(page);
  const first = asked;
  await page.clock.runFor(3000);
  await rested(page);
  assert.equal(asked, 2 * first, "while it is seen, the lists are read again");
  await see(page, "hidden");
  await page.clock.runFor(60_000);
  assert.equal(asked, 2 * first, "while it is hidden, nothing is asked");
  await service.match({ gameId: "ludus-magus" }, ["Zoe", "Yan"]);
  await see(page, "visible");
  await page.locator(".matches").getByText("Zoe").first().waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});
