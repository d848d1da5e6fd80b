// How fast the page is, for `cargo xtask bench page`: the first board, the echo of a move, the slider over a
// long match, and memory. It is no test: nothing here is asserted but that the page shows what it should.

import assert from "node:assert/strict";

import { openWindow, seatAt, Service, startBrowser } from "./running.mjs";

const GAMES = ["angels-and-demons", "ace-exorcist", "ludus-magus", "cresnovian-chess"];

/** How often each game's page is opened, how many matches have moves, and how many frames the slider
 * moves. */
const [LOADS, MATCHES, FRAMES] = [7, 4, 600];

/** Turns of the long match: three events each. */
const TURNS = 333;

/** Walks of two pieces up and down. Further moves would repeat a position for the third time. */
const WHITE = ["d1-d2", "d2-d3", "d3-d2", "d2-d1", "d1-d2"];
const BLACK = ["e8-e7", "e7-e6", "e6-e7", "e7-e8"];

const faults = [];
const service = await Service.start();
const browser = await startBrowser();

/** Prints one line: what was measured, its middle, its 95th percentile and its greatest value. */
const tell = (what, times) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.floor(part * (sorted.length - 1))].toFixed(1).padStart(8);
  console.log(`${what.padEnd(48)} ${at(0.5)} ${at(0.95)} ${at(1)}`);
};

// From the navigation to the board's drawing, in a window that has nothing stored.
const firstBoard = async (game) => {
  const { id } = await service.match({ gameId: game });
  const times = [];
  for (let load = 0; load < LOADS; load++) {
    const page = await openWindow(browser, faults);
    const start = performance.now();
    await page.goto(`${service.url}/matches/${id}`, { waitUntil: "commit" });
    const isDrawn = () => Boolean(document.querySelector("match-board")?.shadowRoot?.querySelector("svg"));
    await page.waitForFunction(isDrawn, undefined, { polling: "raf" });
    times.push(performance.now() - start);
    await page.context().close();
  }
  tell(`first board of ${game}, ms`, times);
};

// From the answers to one's own moves to the frames that show their positions.
const echoes = async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults, { reducedMotion: "reduce" });
  await seatAt(page, service.url, match, 0, "Ada");
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      const answer = await fetch(...request);
      if (String(request[0]?.url ?? request[0]).endsWith("/moves")) window.answeredAt = performance.now();
      return answer;
    };
  });
  const times = [];
  for (const [index, move] of WHITE.entries()) {
    const seq = 5 + 2 * index;
    await Promise.all([
      page.waitForFunction((seq) => {
        const isShown = document.querySelector("match-page").drawing.shownSeq >= seq && window.answeredAt;
        return isShown ? performance.now() - window.answeredAt : null;
      }, seq, { polling: "raf" }).then(async (shown) => times.push(await shown.jsonValue())),
      choose(page, move.split("-")),
    ]);
    if (!BLACK[index]) break;
    await page.evaluate(() => (window.answeredAt = undefined));
    await service.call(`/v1/matches/${match.id}/moves`, { notation: BLACK[index] }, match.tokens[1]);
    const isAnswered = (seq) => document.querySelector("match-page").drawing.shownSeq > seq;
    await page.waitForFunction(isAnswered, seq);
  }
  await page.context().close();
  return times;
};

const choose = async (page, squares) => {
  for (const square of squares) await page.locator(`match-board button[value="${square}"]`).click();
};

// A match of a thousand events.
const longMatch = async () => {
  const options = { angelsAndDemons: { turns: TURNS } };
  const match = await service.match({ gameId: "angels-and-demons", options });
  for (let turn = 0; turn < TURNS; turn++) {
    for (const token of match.tokens) {
      const { notation } = await service.call(
        `/v1/matches/${match.id}/moves:suggest?strategy=STRATEGY_RANDOM`, undefined, token);
      await service.call(`/v1/matches/${match.id}/moves`, { notation }, token);
    }
  }
  return match;
};

// The time from frame to frame while the slider goes over all positions, and what the page then holds.
const slider = async () => {
  const { id } = await longMatch();
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/matches/${id}`);
  await page.waitForFunction(() => document.querySelector("match-page")?.session?.isComplete);
  await page.locator("match-timeline input[type=range]").waitFor();
  const { head, times, drawn } = await page.evaluate(async (frames) => {
    const input = document.querySelector("match-timeline input[type=range]");
    const head = Number(input.max);
    const times = [];
    const drawn = new Set();
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame++) {
      input.value = String(Math.round(1 + ((head - 1) * frame) / (frames - 1)));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
      drawn.add(document.querySelector("match-page").drawing.shownSeq);
    }
    return { head, times, drawn: drawn.size };
  }, FRAMES);
  await page.waitForFunction((head) => document.querySelector("match-page").drawing.shownSeq === head, head);
  tell(`slider over ${head} events, ms from frame to frame`, times);
  console.log(`positions drawn meanwhile: ${drawn} in ${FRAMES} frames`);
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  console.log(`memory of the page's scripts with ${head} events: ${(usedSize / 1e6).toFixed(1)} MB`);
};

console.log(`${"".padEnd(48)} ${["median", "p95", "max"].map((word) => word.padStart(8)).join(" ")}`);
for (const game of GAMES) await firstBoard(game);
const times = [];
for (let match = 0; match < MATCHES; match++) times.push(...(await echoes()));
tell("echo of a move after its answer, ms", times);
await slider();
assert.deepEqual(faults, []);
await browser.close();
await service.stop();
