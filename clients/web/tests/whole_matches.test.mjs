// Whole matches in Chromium: two windows play each game against each other through the page alone, a third
// one watches, and the service is killed and started again in the middle.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { numbersFrom, playMove } from "./player.mjs";
import { openWindow, Service, sessionOf, startBrowser } from "./running.mjs";

/** The games, with options that make them short, and how many moves are made before the service is killed. */
const GAMES = {
  "angels-and-demons": [{ rows: "4", cols: "4", turns: "4" }, 3],
  "ace-exorcist": [{}, 6],
  "ludus-magus": [{ max_turns: "10" }, 4],
  "cresnovian-chess": [{ max_turns: "6" }, 3],
};

const HOSTILE = ["<img src=x onerror=alert(1)>", "</title><script>alert(2)</script>"];

/** No match of these lasts longer. */
const MAX_MOVES = 400;

let service;
let browser;

before(async () => {
  service = await Service.start();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

// Creates a match by the form, as a person does who has a friend to send the link to.
const create = async (page, game, options) => {
  await page.goto(`${service.url}/`);
  await page.locator("game-picture").first().waitFor();
  await page.locator(`a[href="/new/${game}"]`).click();
  await page.getByLabel("Your name").fill(HOSTILE[0]);
  await page.getByRole("radio", { name: "A friend" }).check();
  await page.getByText("Options", { exact: true }).click();
  for (const [name, value] of Object.entries(options)) await page.locator(`[name=${name}]`).fill(value);
  await page.getByRole("button", { name: "Create the match" }).click();
  await page.waitForURL(/\/matches\//);
  return page.url();
};

const take = async (page, link) => {
  await page.goto(link);
  await page.getByLabel("Your name").fill(HOSTILE[1]);
  await page.getByRole("button", { name: /^Play / }).click();
};

const restart = async (windows) => {
  await service.kill();
  for (const page of windows) await page.getByText("The connection is lost").waitFor();
  await service.run();
  for (const page of windows) await page.getByText("The connection is lost").waitFor({ state: "detached" });
};

// Waits until a window has a turn, or the match is over in both.
const nextTurn = async (players) => {
  for (;;) {
    for (const page of players) {
      const { status } = await sessionOf(page);
      if (status === "MATCH_STATUS_OVER") return null;
      if ((await page.locator("move-builder").count()) > 0) return page;
    }
    await players[0].waitForTimeout(20);
  }
};

// Waits until a move is in the window's session.
const moved = (page, seq) =>
  page.waitForFunction((seq) => document.querySelector("match-page").session.view.seq > seq, seq);

for (const [game, [options, movesBefore]] of Object.entries(GAMES)) {
  test(`${game} is played to its end by two windows, over a restart, while a third one watches`, async () => {
    const faults = [];
    const random = numbersFrom(7);
    const touch = game === "ludus-magus" ? { hasTouch: true, viewport: { width: 360, height: 780 } } : {};
    const first = await openWindow(browser, faults);
    const second = await openWindow(browser, faults, touch);
    const spectator = await openWindow(browser, faults);
    const windows = [first, second, spectator];
    for (const page of windows) page.on("dialog", () => faults.push("a name was executed"));
    const urls = [];
    for (const page of windows) page.on("request", (request) => urls.push(request.url()));

    const link = await create(first, game, options);
    await take(second, link);
    await spectator.goto(link);
    let made = 0;
    const ways = new Set();
    for (let page = await nextTurn([first, second]); page; page = await nextTurn([first, second])) {
      const { seq } = await sessionOf(page);
      ways.add((await playMove(page, random)).way);
      await moved(page, seq);
      made += 1;
      if (made === movesBefore) await restart(windows);
      assert.ok(made < MAX_MOVES, `${made} moves and no end`);
    }
    for (const page of windows) {
      await page.waitForFunction(() => document.querySelector("match-page").session.connection === "ended");
      const { seqs, seq } = await sessionOf(page);
      assert.deepEqual(
        seqs,
        Array.from({ length: seq }, (_, index) => index + 1),
        "each event once, in order",
      );
      await page.locator(".status").filter({ hasText: /won|Draw/ }).waitFor();
    }
    const results = await Promise.all(windows.map((page) => page.locator(".status").textContent()));
    assert.equal(new Set(results).size, 1, results.join(" / "));
    for (const name of HOSTILE)
      await spectator.locator("match-clocks bdi").filter({ hasText: name }).waitFor();
    assert.equal(await spectator.locator("img, main script").count(), 0);
    assert.ok(urls.every((url) => !url.includes("mbs_")), "a token is in a URL");
    assert.ok(
      urls.every((url) => url.startsWith(service.url) || /^(data|blob):/.test(url)),
      "another host was asked",
    );
    assert.ok(made >= movesBefore && ways.size > 1, `${made} moves by ${[...ways]}`);
    assert.deepEqual(faults, []);
    for (const page of windows) await page.context().close();
  });
}
