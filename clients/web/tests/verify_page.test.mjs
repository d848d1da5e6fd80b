// The page that verifies, in Chromium, under the policy that the service sends: honest and forged logs, a key
// that is trusted, a service without the verifier.
//
//   VERIFIER=verifier.wasm MATCHBOOK_CHROMIUM=/usr/bin/chromium \
//     node --test clients/web/tests/verify_page.test.mjs

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { chromium } = createRequire(join(root, "clients/typescript/package.json"))("playwright-core");
const { MATCHBOOK_CHROMIUM, VERIFIER } = process.env;

const source = readFileSync(join(root, "service/server/src/pages/application.rs"), "utf8");
const policy = /const POLICY: &str = "([^"]*)";/.exec(source)[1].replace(/\\\n\s*/g, "");
const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};
const log = (name) => join(root, "service/audit/tests/forged", `${name}.jsonl`);
const HONEST = log("control-resignation");
const FORGED = log("abort-after-a-move");

// The element without the rest of the page.
const SHELL = '<!doctype html><html lang="en"><title>Verify</title><main></main>' +
  '<script type="module" src="/shell.js"></script>';
const SCRIPT = `import "/assets/x/src/verify/verify.js";
const element = document.createElement("matchbook-verify");
element.setAttribute("match-id", new URLSearchParams(location.search).get("match") ?? "");
document.querySelector("main").append(element);`;

// Stands for the service: the files, the API that the page calls, and whether the verifier is built in.
let hasVerifier = true;
let publicKeys = [];
const answer = (path) => {
  if (path === "/v1/keys") {
    return ["application/json", JSON.stringify({ keys: publicKeys.map((publicKey) => ({ publicKey })) })];
  }
  if (path === "/v1/matches/honest/log") return ["application/x-ndjson", readFileSync(HONEST)];
  if (path === "/verify") return ["text/html", SHELL];
  if (path === "/shell.js") return ["text/javascript", SCRIPT];
  const file =
    path === "/assets/x/verifier.wasm" ? VERIFIER : join(root, "clients/web", path.replace("/assets/x/", ""));
  if (!path.startsWith("/assets/x/") || !existsSync(file) || (file === VERIFIER && !hasVerifier)) return null;
  return [types[extname(file)], readFileSync(file)];
};
const server = createServer((request, response) => {
  const found = answer(new URL(request.url, "http://page").pathname);
  const headers = { "content-security-policy": policy, "content-type": found?.[0] ?? "application/json" };
  response.writeHead(found ? 200 : 404, headers);
  response.end(found?.[1] ?? '{"error":{"message":"match nothing is unknown; check its id"}}');
});

let browser;
let page;
let faults;

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Root has no sandbox; the pages are the test's own.
  browser = await chromium.launch({ executablePath: MATCHBOOK_CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser.close();
  server.close();
});

beforeEach(async () => {
  [hasVerifier, publicKeys, faults] = [true, [], []];
  // Each context has a storage of its own.
  page = await (await browser.newContext()).newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
});

const open = (query = "") => page.goto(`http://127.0.0.1:${server.address().port}/verify${query}`);
const choose = async (path) => {
  await open();
  await page.locator("input[type=file]").setInputFiles(path);
};
const verdict = (word) => page.locator(".result h2", { hasText: new RegExp(`^${word} `) }).waitFor();
const outcomes = (outcome) =>
  page.locator(`li[data-outcome=${outcome}]`).evaluateAll((all) => all.map((one) => one.dataset.check));

test("a file that is chosen while a match's log is fetched stays", async () => {
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route("**/v1/matches/honest/log", async (route) => {
    await isReleased;
    await route.continue();
  });
  const late = page.waitForResponse("**/v1/matches/honest/log");
  await open("?match=honest");
  await page.locator("input[type=file]").setInputFiles(FORGED);
  await verdict("refused");
  release();
  await (await late).finished();
  // What the page does with the log comes before this.
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  assert.match(await page.getByRole("status").textContent(), /^abort-after-a-move/);
  await verdict("refused");
  assert.deepEqual(faults, []);
});

test("an honest log whose key is unknown shows each check", async () => {
  await choose(HONEST);
  await verdict("key_unknown");
  assert.match(
    await page.locator(".result").textContent(),
    /exit code 6.*Signed by.*does not publish this key/s,
  );
  assert.ok((await outcomes("ok")).includes("signature"));
  assert.deepEqual(await outcomes("failed"), []);
  assert.equal(await page.locator("li[data-check]").count(), 11);
  assert.deepEqual(faults, []);
});

test("a key is trusted until it is trusted no more, and over a reload", async () => {
  await choose(HONEST);
  await page.getByRole("button", { name: "Trust this key" }).click();
  await verdict("verified");
  publicKeys = [await page.locator(".result section code").textContent()];
  await open("?match=honest");
  await verdict("verified");
  assert.match(await page.locator(".result").textContent(), /This service publishes this key/);
  await page.getByRole("button", { name: "Trust this key no more" }).click();
  await verdict("key_unknown");
  assert.deepEqual(faults, []);
});

test("a forged log is refused, with the first failure", async () => {
  await choose(FORGED);
  await verdict("refused");
  assert.equal((await outcomes("failed")).length, 1);
  assert.match(await page.locator(".result").textContent(), /Failed \(\w+\): event \d+: /);
  assert.deepEqual(faults, []);
});

test("a log of this service that another key signed is refused", async () => {
  await choose(HONEST);
  const key = await page.locator(".result section code").textContent();
  const other = "AU4pcH1oXTr5fZsjlqtrzb0aSGsiPsNtHWvxgAuk6JYw";
  await page.evaluate(
    (pinned) => localStorage.setItem("matchbook.known_keys", pinned),
    await keyNamed(key, other),
  );
  await choose(HONEST);
  await verdict("refused");
  assert.deepEqual(await outcomes("failed"), ["signature"]);
});

// Returns a public key with the name of another: its ID is the start of a hash of both.
const keyNamed = async (key, base64) => {
  const name = key.split("+")[0];
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from(base64, "base64")]);
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", bytes));
  return `${name}+${hash.subarray(0, 4).toString("hex")}+${base64}`;
};

test("a file that is no log is unreadable, and names are text", async () => {
  await open();
  const name = "<img src=x onerror=alert(1)>.jsonl";
  const file = { name, mimeType: "text/plain", buffer: Buffer.from("nothing") };
  await page.locator("input[type=file]").setInputFiles(file);
  await verdict("unreadable");
  assert.ok((await page.getByRole("status").textContent()).includes(name));
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(faults, []);
});

test("a service without the verifier offers the command", async () => {
  hasVerifier = false;
  await choose(HONEST);
  await page.locator(".result pre").waitFor();
  assert.match(await page.getByRole("status").textContent(), /built without the verifier/);
  assert.equal(
    await page.locator(".result pre").textContent(),
    "matchbook verify 'control-resignation.jsonl'",
  );
});

test("a match that is unknown is told in the service's words", async () => {
  await open("?match=nothing");
  await page.getByRole("status").filter({ hasText: "match nothing is unknown; check its id" }).waitFor();
});
