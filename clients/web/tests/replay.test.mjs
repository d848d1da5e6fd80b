// Stepping through a match: slider, keys, list, playing by itself, sides, links, forks and files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { openWindow, seatAt, Service, startBrowser } from "./running.mjs";

let service;
let browser;
let over;
const faults = [];

/** How many moves the match has. */
const MOVES = 12;

/** Seq of its last event: two claims and the start come after its creation, a resignation after its moves. */
const HEAD = 4 + MOVES + 1;

// Plays a match of Ace Exorcist by suggestions. Returns null if the deal ends it early.
const played = async () => {
  const match = await service.match({ gameId: "ace-exorcist" });
  for (let move = 0; move < MOVES; move++) {
    const { view } = await service.call(`/v1/matches/${match.id}/view`);
    if (view.toAct.length === 0) return null;
    const token = match.tokens[view.toAct[0]];
    const { notation } = await service.call(`/v1/matches/${match.id}/moves:suggest`, undefined, token);
    await service.call(`/v1/matches/${match.id}/moves`, { notation }, token);
  }
  const { view } = await service.call(`/v1/matches/${match.id}/view`);
  return view.toAct.length === 0 ? null : match;
};

before(async () => {
  service = await Service.start();
  browser = await startBrowser();
  while (!over) over = await played();
  await service.call(`/v1/matches/${over.id}:resign`, {}, over.tokens[1]);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

const isShown = (page, seq) =>
  page.waitForFunction((seq) => document.querySelector("match-page")?.shownSeq === seq, seq);
// The drawing that the service gives for a position.
const drawn = async (seq, query = "") => {
  const answer = await fetch(`${service.url}/v1/matches/${over.id}/board.svg?atSeq=${seq}${query}`);
  return answer.text();
};
const shown = (page) => page.evaluate(() => document.querySelector("match-board").drawing);

const open = async (query = "") => {
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/matches/${over.id}${query}`);
  await page.locator("match-board svg").waitFor();
  await page.waitForFunction(() => document.querySelector("match-page").session.isComplete);
  return page;
};

test("slider, keys, buttons and list lead to each position", async () => {
  const page = await open();
  await isShown(page, HEAD);
  await page.keyboard.press("Home");
  await isShown(page, 1);
  await page.keyboard.press("ArrowRight");
  await isShown(page, 2);
  await page.getByRole("button", { name: "Next position" }).click();
  await isShown(page, 3);
  await page.getByRole("slider").fill("9");
  await isShown(page, 9);
  assert.equal(await shown(page), await drawn(9));
  await page.locator("move-list button").filter({ hasText: /^\s*7\s/ }).click();
  await isShown(page, 7);
  await page.locator("move-list [aria-current] .number").filter({ hasText: /^7$/ }).waitFor();
  assert.match(await page.locator(".story").textContent(), /^[A-Z].*\.$/);
  await page.keyboard.press("End");
  await isShown(page, HEAD);
  await page.context().close();
});

test("a link leads to its position, and the address follows the slider", async () => {
  const page = await open("?at=6");
  await isShown(page, 6);
  assert.equal(await shown(page), await drawn(6));
  await page.keyboard.press("ArrowLeft");
  await page.waitForURL(/\?at=5$/);
  await page.reload();
  await isShown(page, 5);
  await page.context().close();
});

test("it plays by itself to the end", async () => {
  const page = await open("?at=15");
  await isShown(page, 15);
  await page.getByTitle("Play by itself").click();
  await isShown(page, HEAD);
  await page.getByTitle("Play by itself").waitFor();
  await page.context().close();
});

test("each side is shown once the match is over", async () => {
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, over, 0, "Ada");
  await isShown(page, HEAD);
  const hands = () =>
    page
      .locator("match-board")
      .evaluate((board) =>
        ["bell", "book", "candle", "blood", "blade", "flame"].map(
          (suit) => board.shadowRoot.querySelectorAll(`[id^=card-${suit}]`).length,
        ),
      );
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  await page.keyboard.press("Home");
  await page.getByRole("slider").fill("5");
  await isShown(page, 5);
  const own = await hands();
  assert.equal(sum(own.slice(0, 3)), 0);
  assert.ok(sum(own.slice(3)) > 0);
  for (const [name, kind, check] of [
    ["Everything", "KIND_OPEN", (found) => sum(found.slice(0, 3)) > 0 && sum(found.slice(3)) > 0],
    ["Spectator", "KIND_SPECTATOR", (found) => sum(found.slice(0, 3)) === 0 && sum(found) < sum(own)],
  ]) {
    await page.getByRole("radio", { name }).check();
    const expected = await drawn(5, `&viewer.kind=${kind}`);
    await page.waitForFunction(
      (expected) => document.querySelector("match-board").drawing === expected,
      expected,
    );
    assert.ok(check(await hands()), `${name}: ${await hands()}`);
  }
  await page.context().close();
});

test("a move's position is fetched once it is answered, even before its event is here", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator('match-board button[value="d1"]').click();
  // From now on the page has no newer position: only the move's answer names it.
  await page.evaluate(() => {
    const { session } = document.querySelector("match-page");
    const { view } = session;
    Object.defineProperty(session, "view", { get: () => view, set: () => {} });
  });
  const isAskedFor = page.waitForRequest((request) => /board\.svg\?atSeq=5$/.test(request.url()));
  await page.locator('match-board button[value="d2"]').click();
  await isAskedFor;
  await page.context().close();
});

test("a visitor is offered what the service shows, a browser with both seats their sides too", async () => {
  const visitor = await open("?at=5&viewer=KIND_SPECTATOR");
  const sides = (page) => page.locator(".viewers label").allTextContents();
  await visitor.locator(".viewers").waitFor();
  assert.deepEqual((await sides(visitor)).map((side) => side.trim()), ["Spectator", "Everything"]);
  assert.equal(await visitor.getByRole("radio", { name: "Spectator" }).isChecked(), true);
  await visitor.context().close();
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, over, 0, "Ada");
  await page.evaluate(([id, token]) => {
    const entry = `matchbook.seats.${id}`;
    const held = JSON.parse(localStorage.getItem(entry));
    held.seats.push({ seat: 1, name: "Ben", player: "person", token });
    localStorage.setItem(entry, JSON.stringify(held));
  }, [over.id, over.tokens[1]]);
  await page.goto(`${service.url}/matches/${over.id}?at=5`);
  for (const [seat, name] of ["Summoner", "Exorcist", "Summoner"].entries()) {
    await page.getByRole("radio", { name }).check();
    const own = await fetch(`${service.url}/v1/matches/${over.id}/board.svg?atSeq=5`, {
      headers: { "matchbook-seat-token": over.tokens[seat % 2] },
    });
    const expected = await own.text();
    await page.waitForFunction(
      (expected) => document.querySelector("match-board").drawing === expected,
      expected,
    );
  }
  await page.context().close();
});

test("a position that is refused does not keep the next one from being shown", async () => {
  const page = await open("?at=2");
  await isShown(page, 2);
  // The answer comes when another position is wanted already.
  const isAskedFor = (url) => url.pathname.endsWith("/board.svg") && url.searchParams.get("atSeq") === "12";
  await page.route(isAskedFor, async (route) => {
    await page.waitForFunction(() => document.querySelector("match-page").seq === 15);
    await route.fulfill({ status: 500, json: { error: { status: "INTERNAL", message: "no picture" } } });
  });
  await page.getByRole("slider").fill("12");
  await page.getByRole("slider").fill("15");
  await isShown(page, 15);
  await page.locator("match-turn .refusal").filter({ visible: true }).waitFor({ state: "detached" });
  await page.context().close();
});

test("a match whose events are refused says so, also when its picture comes after that", async () => {
  const page = await openWindow(browser, faults);
  await page.route("**/events?*", (route) =>
    route.fulfill({ status: 500, json: { error: { status: "INTERNAL", message: "no events" } } }));
  await page.route("**/board.svg*", async (route) => {
    await page.getByText("No events.").waitFor();
    await route.continue();
  });
  const answered = page.waitForResponse("**/board.svg*");
  await page.goto(`${service.url}/matches/${over.id}`);
  await (await answered).finished();
  assert.equal(await page.getByRole("heading", { name: "This match can't be shown" }).count(), 1);
  await page.context().close();
});

test("a fork continues from the position, and the files are the service's", async () => {
  const page = await open("?at=8");
  await isShown(page, 8);
  await page.locator("details.files summary").click();
  const saved = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).click(),
    ]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };
  const [svgName, svg] = await saved("Board as SVG");
  assert.equal(svgName, `${over.id}-8.svg`);
  assert.equal(svg.toString(), await drawn(8));
  const [, png] = await saved("Board as PNG");
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
  const [, log] = await saved("Download the log");
  const served = await (await fetch(`${service.url}/v1/matches/${over.id}/log`)).text();
  // The last line is the signature's time.
  assert.deepEqual(log.toString().split("\n").slice(0, HEAD), served.split("\n").slice(0, HEAD));
  await page.getByRole("button", { name: "Fork from here" }).click();
  await page.waitForURL((url) => !url.pathname.includes(over.id));
  await page.getByRole("button", { name: "Play Summoner" }).waitFor();
  assert.equal(
    await page.getByRole("link", { name: "forked from another match" }).getAttribute("href"),
    `/matches/${over.id}?at=8`,
  );
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("an address that names no position shows the newest, and one that is no address says so", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  for (const at of ["1e99", "-1", "NaN", "0", "1.5", "9999", "4294967296", "<b>"]) {
    await page.goto(`${service.url}/matches/${match.id}?at=${encodeURIComponent(at)}`);
    await page.waitForFunction(() => document.querySelector("match-page")?.shownSeq === 4);
    await page.getByText("Waiting for White.").waitFor();
  }
  // Whose side is shown is in the address as well.
  for (const query of ["viewer=evil&at=3", "viewer=<b>&at=3"]) {
    await page.goto(`${service.url}/matches/${over.id}?${encodeURI(query)}`);
    await isShown(page, 3);
    assert.equal(await page.locator("main .refusal").filter({ visible: true }).count(), 0);
  }
  await page.goto(`${service.url}/matches/${over.id}?at=9999`);
  await isShown(page, HEAD);
  await page.goto(`${service.url}/matches/%E0%A4%A`);
  await page.getByText("This match can't be shown").waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});
