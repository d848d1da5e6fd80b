// What the page's tests share: a service that can be killed and started again, and browsers.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../package.json", import.meta.url));
const require = createRequire(root);
const { chromium } = require("playwright-core");
const { MATCHBOOKD, MATCHBOOK_CHROMIUM } = process.env;

/** The text of axe-core, to run in a page. */
export const axePath = require.resolve("axe-core/axe.min.js");

/** A service with a database of its own. */
export class Service {
  #folder = mkdtempSync(join(tmpdir(), "matchbook-page-"));
  #process;
  #flags = [];
  #address = "127.0.0.1:0";

  /** Starts one, with these flags beside the usual ones. */
  static async start(flags = []) {
    const service = new Service();
    service.#flags = flags;
    await service.run();
    return service;
  }

  get url() {
    return `http://${this.#address}`;
  }

  /** Starts the program, at the same address each time. */
  async run() {
    const database = `sqlite:${join(this.#folder, "matchbook.db")}`;
    const flags = ["serve", "--database", database, "--listen", this.#address];
    this.#process = spawn(MATCHBOOKD, [...flags, ...this.#flags], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = [];
    this.#address = await new Promise((resolve, reject) => {
      this.#process.once("exit", () => reject(new Error(`the service ended: ${said.join("\n")}`)));
      for (const stream of [this.#process.stdout, this.#process.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          said.push(line);
          const found = /http:\/\/(127\.0\.0\.1:\d+)/.exec(line);
          if (found) resolve(found[1]);
        });
      }
    });
  }

  /** Ends the program at once, as a power cut would. */
  async kill() {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.#folder, { recursive: true });
  }

  /** Calls the API. */
  async call(path, body, token) {
    const headers = {
      "content-type": "application/json",
      ...(token ? { "matchbook-seat-token": token } : {}),
    };
    const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(this.url + path, request);
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }

  /** Returns the service's secret contribution to a match's seed, as its operator can read it in the
   * database. */
  secretOf(id) {
    const query =
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(" +
      "'SELECT hex(sealed) FROM event WHERE match_id = ? AND seq = 1', " +
      "(bytes.fromhex(sys.argv[2]),)).fetchone()[0])";
    const flags = ["-c", query, join(this.#folder, "matchbook.db"), id.replaceAll("-", "")];
    // The salt comes first.
    return Buffer.from(execFileSync("python3", flags, { encoding: "utf8" }).trim(), "hex").subarray(32);
  }

  /** Creates a match with both seats taken. Returns its ID and the seats' tokens. */
  async match(request, names = ["Ada", "Ben"]) {
    const { match } = await this.call("/v1/matches", request);
    const tokens = [];
    for (const [seat, displayName] of names.entries()) {
      const claimed = await this.call(`/v1/matches/${match.matchId}/seats/${seat}:claim`, {
        player: { displayName },
      });
      tokens.push(claimed.seatToken);
    }
    return { id: match.matchId, tokens };
  }
}

/** Makes an API key: its secret, and its line for the configuration. */
export const newApiKey = (name, role) => {
  const said = execFileSync(MATCHBOOKD, ["key", "new", "--name", name, "--role", role], { encoding: "utf8" });
  return { secret: /mbk_\S+/.exec(said)[0], line: said.match(new RegExp(`${name}:${role}:\\S+`))[0] };
};

/** Starts Chromium. Root has no sandbox; the pages are the tests' own. */
export const startBrowser = () =>
  chromium.launch({ executablePath: MATCHBOOK_CHROMIUM, args: ["--no-sandbox"] });

/** Opens a window with a storage of its own. Faults of its pages are added to `faults`. */
export const openWindow = async (browser, faults, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    // A service that is away, and refusals that the page shows, are no faults of the page.
    const isExpected = /Failed to load resource|ERR_|WebSocket/.test(message.text());
    if (message.type() === "error" && !isExpected) faults.push(message.text());
  });
  return page;
};

/** Gives a window a seat, as if it had claimed it. */
export const seatAt = async (page, url, { id, tokens }, seat, name) => {
  await page.goto(`${url}/games/ludus-magus`);
  const held = { seats: [{ seat, name, player: "person", token: tokens[seat] }], claims: [], timeMs: 0 };
  await page.evaluate(
    ([id, held]) => localStorage.setItem(`matchbook.seats.${id}`, held),
    [id, JSON.stringify(held)],
  );
  await page.goto(`${url}/matches/${id}`);
  await page.locator("match-page").waitFor({ state: "attached" });
};

/** Returns what the page's session holds. */
export const sessionOf = (page) =>
  page.evaluate(() => {
    const { session } = document.querySelector("match-page");
    return {
      seqs: session.events.map((event) => event?.seq),
      status: session.view?.status,
      seq: session.view?.seq,
      positionSeq: session.positionSeq,
    };
  });
