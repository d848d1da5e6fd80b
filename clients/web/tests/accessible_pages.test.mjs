// axe-core finds nothing serious on any page and in any state of the match page, in light and dark, on a
// phone and on a big screen. Nothing is wider than the screen, and no field than its place.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { axePath, openWindow, seatAt, Service, startBrowser } from "./running.mjs";

const axe = readFileSync(axePath, "utf8");

/** Where pictures of the pages are kept, if anywhere. */
const { SCREENSHOTS } = process.env;

let service;
let browser;
let running;
let open;
let over;

before(async () => {
  service = await Service.start();
  browser = await startBrowser();
  const clocks = { timeControl: { bank: { budget: "600s" } } };
  running = {};
  for (const gameId of ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"]) {
    running[gameId] = await service.match({ gameId, ...clocks });
  }
  open = (await service.call("/v1/matches", { gameId: "ludus-magus" })).match.matchId;
  over = await service.match({ gameId: "ace-exorcist" });
  await service.call(`/v1/matches/${over.id}:resign`, {}, over.tokens[0]);
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

const firstFrame = async (url) => {
  const stop = new AbortController();
  const answer = await fetch(url, { signal: stop.signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) text += (await reader.read()).value;
  stop.abort();
  return `${text.split("\n")[0]}\n`;
};

/** The states: how to reach each one, and what shows that it is reached. */
const STATES = {
  home: async (page) => {
    await page.goto(`${service.url}/`);
    await page.locator(".matches li").first().waitFor();
  },
  new: async (page) => {
    await page.goto(`${service.url}/new/ludus-magus`);
    await page.getByText("Options", { exact: true }).click();
    await page.getByLabel("A budget and an increment").check();
    await page.getByLabel("Someone here").check();
  },
  rules: async (page) => {
    await page.goto(`${service.url}/games/angels-and-demons`);
    await page.locator("article h2").first().waitFor();
  },
  verify: async (page) => {
    await page.goto(`${service.url}/verify`);
    await page.locator("h1").waitFor();
  },
  docs: async (page) => {
    await page.goto(`${service.url}/docs`);
    await page.locator("#CreateMatch details.try > summary").click();
    await page.locator("#CreateMatch textarea").waitFor();
  },
  open: async (page) => {
    await page.goto(`${service.url}/matches/${open}`);
    await page.getByRole("button", { name: "Play White" }).waitFor();
  },
  over: async (page) => {
    await page.goto(`${service.url}/matches/${over.id}`);
    await page.getByText("Exorcist won by resignation").first().waitFor();
    await page.getByRole("radio", { name: "Everything" }).check();
  },
  unknown: async (page) => {
    await page.goto(`${service.url}/matches/nothing`);
    await page.getByRole("alert").waitFor();
  },
  ...Object.fromEntries(
    ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"].map((game) => [
      game,
      async (page) => {
        await seatAt(page, service.url, running[game], 0, "Ada");
        await page.locator("move-builder .choices button").first().waitFor({ state: "attached" });
        await page.locator("match-board svg").waitFor();
        for (const summary of await page.locator("move-builder summary").all()) await summary.click();
        await page.locator("move-builder .moves button, move-builder .moves li").first().waitFor();
        await page.getByRole("button", { name: "Resign" }).click();
        await page.locator("details.files summary").click();
        if (game === "ace-exorcist") return;
        await page.locator("match-board button").first().waitFor();
      },
    ]),
  ),
  cover: async (page) => {
    await page.goto(`${service.url}/new/ace-exorcist`);
    await page.getByLabel("Your name", { exact: true }).fill("Ada");
    await page.getByLabel("Someone here").check();
    await page.getByLabel("The other player's name").fill("Ben");
    await page.getByRole("button", { name: "Create the match" }).click();
    await page.getByRole("button", { name: "I am Ada" }).waitFor();
  },
  proposal: async (page) => {
    const match = await service.match({ gameId: "ludus-magus" });
    await service.call(`/v1/matches/${match.id}/proposals`, { kind: "PROPOSAL_KIND_DRAW" }, match.tokens[1]);
    await seatAt(page, service.url, match, 0, "Ada");
    await page.getByRole("button", { name: "Accept" }).waitFor();
  },
  lost: async (page) => {
    let isFirst = true;
    await page.route(/\/watch\?/, async (route) => {
      if (!isFirst) return route.abort();
      isFirst = false;
      // A stream that ends after its first frame.
      const body = await firstFrame(route.request().url());
      return route.fulfill({ contentType: "application/x-ndjson", body });
    });
    await page.goto(`${service.url}/matches/${running["ludus-magus"].id}`);
    await page.getByText("The connection is lost").waitFor();
  },
  prepared: async (page) => {
    await STATES["angels-and-demons"](page);
    await page.locator("match-board button").first().click();
    await page.locator("button.play").waitFor();
  },
};

const check = async (page, name) => {
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    const textOf = ({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary.slice(0, 160)}`;
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(textOf).slice(0, 3) }));
  });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious, [], name);
  const excess = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  assert.ok(excess <= 0, `${name} is ${excess} pixels wider than the screen`);
  const wide = await page.evaluate(() =>
    Array.from(document.querySelectorAll("main :is(input, select, textarea)"))
      .filter((field) => field.checkVisibility() && field.parentElement)
      .filter(
        (field) =>
          field.getBoundingClientRect().right > field.parentElement.getBoundingClientRect().right + 1,
      )
      .map((field) => field.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(wide, [], `${name}: fields stand out of their places`);
};

// Each state is reached once and looked at four ways; a page follows its window and the system's colours.
const LOOKS = ["light", "dark"].flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ colorScheme, width })),
);

for (const [name, reach] of Object.entries(STATES)) {
  test(`${name}: nothing serious in light and dark, on a phone and on a big screen`, async () => {
    const faults = [];
    const page = await openWindow(browser, faults, { reducedMotion: "reduce" });
    await reach(page);
    await page.evaluate(axe);
    for (const { colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
      // The board lays its buttons out for its new size in the next frame.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      if (SCREENSHOTS) {
        mkdirSync(SCREENSHOTS, { recursive: true });
        const path = join(SCREENSHOTS, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      await check(page, `${name}, ${colorScheme}, ${width} pixels`);
    }
    await page.context().close();
    assert.deepEqual(faults, []);
  });
}
