// Credentials: an API key is kept in the browser and sent in a header alone; a seat whose token was replaced
// elsewhere becomes a spectator, who is told what to do.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { newApiKey, openWindow, seatAt, Service, startBrowser } from "./running.mjs";

let service;
let browser;
let faults;
let key;

before(async () => {
  key = newApiKey("shop", "app");
  service = await Service.start(["--api-key", key.line]);
  browser = await startBrowser();
  faults = [];
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

// Creates a match as the key's holder.
const match = async (request) => {
  const answer = await fetch(`${service.url}/v1/matches`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key.secret}` },
    body: JSON.stringify(request),
  });
  const { match } = await answer.json();
  const tokens = [];
  for (const seat of [0, 1]) {
    const claimed = await service.call(`/v1/matches/${match.matchId}/seats/${seat}:claim`, {
      player: { displayName: "Ada" },
    });
    tokens.push(claimed.seatToken);
  }
  return { id: match.matchId, tokens };
};

const create = async (page) => {
  await page.getByLabel("Your name", { exact: true }).fill("Ada");
  await page.getByRole("button", { name: "Create the match" }).click();
};

test("an API key creates, shows private matches, stays out of URLs, and is removed", async () => {
  const page = await openWindow(browser, faults);
  const urls = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.goto(`${service.url}/new/ludus-magus`);
  await create(page);
  await page.locator("form .refusal").filter({ hasText: /key/i }).waitFor();
  await page.locator("key-form summary").click();
  await page.getByLabel("Key", { exact: true }).fill(key.secret);
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Visibility").selectOption("VISIBILITY_PRIVATE");
  await create(page);
  await page.waitForURL(/\/matches\//);
  await page.getByText("Invite the other player").waitFor();
  await page.locator(".details", { hasText: "private" }).waitFor();
  const link = page.url();
  await page.evaluate(() =>
    Object.keys(localStorage)
      .filter((name) => name.includes("seats"))
      .forEach((name) => localStorage.removeItem(name)),
  );
  await page.reload();
  await page.getByRole("button", { name: "Play Black" }).waitFor();
  const stranger = await openWindow(browser, faults);
  await stranger.goto(link);
  await stranger.getByRole("alert").waitFor();
  await page.goto(`${service.url}/`);
  await page.locator("key-form summary").click();
  await page.getByRole("button", { name: "Remove the key" }).click();
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(key.secret));
  await page.goto(link);
  await page.getByRole("alert").waitFor();
  assert.ok(urls.every((url) => !url.includes("mbk_")), "a key is in a URL");
  assert.deepEqual(faults, []);
  await Promise.all([page, stranger].map((one) => one.context().close()));
});

test("a key that the service does not know is told, and can be removed", async () => {
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/`);
  await page.evaluate(
    (wrong) => localStorage.setItem("matchbook.api_key", wrong),
    `${key.secret.slice(0, -6)}000000`,
  );
  await page.reload();
  await page.locator("home-page .refusal").waitFor();
  await page.locator("key-form summary").click();
  await page.getByRole("button", { name: "Remove the key" }).click();
  await page.locator("home-page .refusal").waitFor({ state: "detached" });
  await page.context().close();
});

const rotate = async ({ id, tokens }) =>
  (await service.call(`/v1/matches/${id}/seats/0:rotate`, {}, tokens[0])).seatToken;

test("after its token was replaced a window watches, says so, and takes the new token", async () => {
  const running = await match({ gameId: "ace-exorcist" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, running, 0, "Ada");
  await page.locator("move-builder").waitFor();
  const token = await rotate(running);
  await page.getByText("You are watching").waitFor();
  await page.getByText("The token of Summoner in this browser is not valid any more").waitFor();
  await page.locator("move-builder").waitFor({ state: "detached" });
  await page.waitForFunction(
    () => document.querySelector("match-page").session.view?.viewer.kind === "KIND_SPECTATOR",
  );
  await page.waitForFunction(
    () =>
      document
        .querySelector("match-board")
        .shadowRoot.querySelectorAll("[id^=card-blood], [id^=card-blade], [id^=card-flame]").length === 0,
  );
  await page.reload();
  await page.getByText("You are watching").waitFor();
  // What no header can hold is not taken: no call with it would ever be sent.
  await page.getByLabel("New token of Summoner").fill(`${token}\u200b`);
  await page.getByRole("button", { name: "Take the seat" }).click();
  await page.locator("lost-seat input:invalid").waitFor();
  await page.getByLabel("New token of Summoner").fill(token);
  await page.getByRole("button", { name: "Take the seat" }).click();
  await page.locator("move-builder").waitFor();
  assert.equal(await page.getByText("You are watching").count(), 0);
  assert.ok(!page.url().includes("mbs_"));
  await page.context().close();
});

test("a window that was away while its token was replaced finds out when it comes back", async () => {
  const running = await match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, running, 0, "Ada");
  await page.locator("move-builder").waitFor();
  await page.goto(`${service.url}/`);
  await rotate(running);
  await page.goBack();
  await page.getByText("You are watching").waitFor();
  await page.locator("match-board svg").waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});
