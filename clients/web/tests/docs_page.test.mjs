// The reference at /docs, in Chromium: every call can be tried against the service that shows it.
//
//   MATCHBOOKD=target/debug/matchbookd MATCHBOOK_CHROMIUM=/usr/bin/chromium \
//     node --test clients/web/tests/docs_page.test.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../clients/typescript/package.json", import.meta.url));
const { chromium } = createRequire(root)("playwright-core");
const { MATCHBOOKD, MATCHBOOK_CHROMIUM } = process.env;

let service;
let browser;
let page;
const faults = [];

before(async () => {
  const flags = ["serve", "--database", "memory:", "--listen", "127.0.0.1:0"];
  service = spawn(MATCHBOOKD, flags, { stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    service.once("exit", () => reject(new Error("the service ended")));
    for (const stream of [service.stdout, service.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
        if (found) resolve(found[0]);
      });
    }
  });
  // Root has no sandbox; the pages are the test's own.
  browser = await chromium.launch({ executablePath: MATCHBOOK_CHROMIUM, args: ["--no-sandbox"] });
  page = await browser.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(`${url}/docs`);
  await page.locator("#ListGames").waitFor();
});

after(async () => {
  await browser.close();
  const ended = once(service, "exit");
  service.kill("SIGTERM");
  await ended;
});

// Opens the form of a call.
const form = async (name) => {
  const section = page.locator(`section#${name}`);
  await section.locator("details.try > summary").click();
  return section.locator("details.try");
};
const response = (opened, text) => opened.locator("pre").filter({ hasText: text }).waitFor();

test("every call has a form", async () => {
  const sections = await page.locator("section").count();
  assert.ok(sections > 20);
  assert.equal(await page.locator("section details.try").count(), sections);
});

test("a call is made with its path, its body and its credentials, and refusals are shown", async () => {
  const created = await form("CreateMatch");
  await created.locator("textarea").fill('{"gameId": "angels-and-demons"}');
  await created.getByRole("button", { name: "Send" }).click();
  await response(created, /HTTP 200\s.*"matchId"/s);
  const id = /"matchId":\s*"([^"]+)"/.exec(await created.locator("pre").textContent())[1];

  const match = await form("GetMatch");
  await match.locator("input").first().fill(id);
  await match.getByRole("button", { name: "Send" }).click();
  await response(match, id);
  await match.locator("input").first().fill("nothing/../x");
  await match.getByRole("button", { name: "Send" }).click();
  await response(match, /HTTP 400\s.*INVALID_ARGUMENT/s);
  await match.locator("input").first().fill(id);
  await match.locator("input[type=password]").first().fill("no-token");
  await match.getByRole("button", { name: "Send" }).click();
  await response(match, /HTTP 401\s.*BAD_TOKEN/s);

  const watch = await form("WatchMatch");
  await watch.locator("input").first().fill(id);
  await watch.getByRole("button", { name: "Send" }).click();
  await response(watch, id);
  await watch.getByRole("button", { name: "Stop" }).click();
  await response(watch, "... stopped");
  assert.deepEqual(faults, []);
});

test("the reasons of errors and the rules of the games are there", async () => {
  await page.locator("#ILLEGAL_MOVE").getByText("The rules forbid the move").waitFor();
  assert.ok((await page.locator("#contents a[href^='/games/']").count()) >= 4);
  assert.deepEqual(faults, []);
});
