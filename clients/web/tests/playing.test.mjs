// Moves as people make them: by two clicks, by dragging, with and without a question before; what is where on
// a phone; the list of moves at its end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openWindow, seatAt, sessionOf } from "./running.mjs";
import { browser, faults, service } from "./stage.mjs";

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 780 } };

const seated = async (gameId, options = {}) => {
  const match = await service.match({ gameId });
  const page = await openWindow(browser, faults, { reducedMotion: "reduce", ...options });
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("match-board button").first().waitFor();
  return { match, page };
};

const place = (page, value) => page.locator(`match-board button[value="${value}"]`);
const events = async ({ id }) => (await service.call(`/v1/matches/${id}/events`)).events;
const played = async (page, notation) =>
  page.locator("move-list button", { hasText: notation }).first().waitFor();

test("a piece and its target are clicked, and the move is made; another time it is asked first", async () => {
  const { match, page } = await seated("ludus-magus");
  await place(page, "d1").click();
  await place(page, "d2").click();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).at(-1).moveMade.notation, "d1-d2");
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "e8-e7" }, match.tokens[1]);
  await page.locator("details.files summary").click();
  await page.getByLabel("Confirm moves").selectOption("always");
  await page.reload();
  await place(page, "d2").click();
  await place(page, "d3").click();
  await page.getByRole("button", { name: "Play", exact: true }).first().waitFor();
  await page.locator("button.play").waitFor();
  assert.equal((await events(match)).length, 6);
  await page.locator("button.play").click();
  await played(page, "White: d2-d3");
  await page.context().close();
});

test("a move that was made is not offered again while its event is on its way", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults, { reducedMotion: "reduce" });
  await seatAt(page, service.url, match, 0, "Ada");
  await place(page, "d1").waitFor();
  // From now on the page shows nothing new.
  await page.evaluate(() => {
    const page = document.querySelector("match-page");
    [page.react, page.seek] = [() => {}, () => {}];
  });
  await place(page, "d1").click();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/moves")),
    place(page, "d2").click(),
  ]);
  await answer.finished();
  await page.getByRole("heading", { name: "Playing" }).waitFor();
  await page.evaluate(() => document.querySelector("move-builder").updateComplete);
  assert.equal(await page.locator("button.play").count(), 0);
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

test("a list of legal moves that stays open has those of the next position", async () => {
  const match = await service.match({ gameId: "angels-and-demons" });
  const { notation } = await service.call(
    `/v1/matches/${match.id}/moves:suggest`,
    undefined,
    match.tokens[1],
  );
  await service.call(`/v1/matches/${match.id}/moves`, { notation }, match.tokens[1]);
  const page = await openWindow(browser, faults, { reducedMotion: "reduce" });
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("details.legal summary").click();
  await page.locator("details.legal li button").first().click();
  const { positionSeq } = await sessionOf(page);
  await page.locator("button.play").click();
  // Both have chosen: the next turn begins at once, and the same seat is to choose again.
  const isNext = (before) => document.querySelector("move-builder")?.legal?.seq > before;
  await page.waitForFunction(isNext, positionSeq, { timeout: 5000 });
  await page.locator("details.legal li button").first().waitFor();
  await page.context().close();
});

test("a taken piece is put back by a click on it and by Escape", async () => {
  const { match, page } = await seated("ludus-magus");
  for (const putBack of [
    () => place(page, "d1").and(page.locator(".chosen")).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    await place(page, "d1").click();
    await page.locator("match-board button.chosen").waitFor();
    await place(page, "d2").waitFor();
    await putBack();
    await page.locator("match-board button.chosen").waitFor({ state: "detached" });
    await place(page, "a1").waitFor();
    assert.equal(await page.locator("match-board button.chosen").count(), 0);
  }
  assert.equal((await events(match)).length, 4);
  await page.context().close();
});

test("another own piece is chosen instead by a click on it", async () => {
  const { match, page } = await seated("ludus-magus");
  await place(page, "d1").click();
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await page.locator('match-board button.other[value="a1"]').click();
  await page.locator('match-board button.chosen[value="a1"]').waitFor();
  await page.locator('match-board button.other[value="d1"]').click();
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await place(page, "d2").click();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("one's own side is at the bottom; a turned board keeps its choices where they belong", async () => {
  const match = await service.match({ gameId: "ludus-magus", timeControl: { bank: { budget: "600s" } } });
  const page = await openWindow(browser, faults, { reducedMotion: "reduce" });
  await seatAt(page, service.url, match, 1, "Ben");
  // Whether White's side is above, by the drawing and by the clocks; and whether buttons lie on their
  // squares.
  const isAbove = (expected) =>
    page.waitForFunction((expected) => {
      const root = document.querySelector("match-board")?.shadowRoot;
      const middle = (element) => {
        const { top, height } = element?.getBoundingClientRect() ?? { top: NaN, height: NaN };
        return top + height / 2;
      };
      const square = (name) => middle(root?.getElementById(`square-${name}`));
      const clock = (name) =>
        middle(
          Array.from(document.querySelectorAll(".seats li")).find(
            (row) => row.querySelector(".clock") && row.querySelector("bdi").textContent === name,
          ),
        );
      const buttons = Array.from(root?.querySelectorAll("button") ?? []);
      const fits = buttons.every((button) => Math.abs(middle(button) - square(button.value)) < 2);
      return fits && square("d1") < square("d8") === expected && clock("Ada") < clock("Ben") === expected;
    }, expected);
  await isAbove(true);
  await page.getByRole("button", { name: "Turn the board" }).click();
  await isAbove(false);
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "d1-d2" }, match.tokens[0]);
  await place(page, "e8").waitFor();
  await isAbove(false);
  await page.getByRole("button", { name: "Turn the board" }).click();
  await isAbove(true);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("where seats move in turns, each one's moves have a column", async () => {
  const { match, page } = await seated("ludus-magus");
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "d1-d2" }, match.tokens[0]);
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "e8-e7" }, match.tokens[1]);
  await page.waitForFunction(() => {
    const [white, black] = [0, 1].map((seat) => document.querySelector(`move-list [data-column="${seat}"]`)
      ?.getBoundingClientRect());
    return white && black && white.top === black.top && white.right <= black.left;
  });
  await page.context().close();
});

test("an open match says once that it waits", async () => {
  const { match } = await service.call("/v1/matches", { gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/matches/${match.matchId}`);
  await page.getByRole("button", { name: "Play White" }).waitFor();
  await page.locator("match-board svg").waitFor();
  assert.equal(await page.locator("main").getByText("Waiting for").filter({ visible: true }).count(), 1);
  await page.context().close();
});

test("one tap that would make a move is asked about, unless someone never wants that", async () => {
  const { match, page } = await seated("angels-and-demons");
  await place(page, "3,3").click();
  await page.locator("button.play").waitFor();
  assert.equal((await events(match)).length, 4);
  await page.locator("details.files summary").click();
  await page.getByLabel("Confirm moves").selectOption("never");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await place(page, "5,5").click();
  await page.locator(".status").filter({ hasText: "Angels have chosen" }).waitFor();
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

/** Returns the middle of a square, measured at once: what arrives draws the board again. */
async function middle(page, square) {
  const found = await page.waitForFunction((id) => {
    const board = document.querySelector("match-board")?.shadowRoot;
    const { x, y, width, height } = board?.getElementById(id)?.getBoundingClientRect() ?? {};
    return width > 0 && [x + width / 2, y + height / 2];
  }, `square-${square}`);
  return found.jsonValue();
}

test("a piece is dragged to its target; dropped elsewhere it is where it was", async () => {
  const { match, page } = await seated("ludus-magus");
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, to)), { steps: 6 });
    await page.mouse.up();
  };
  // The board looks the same before the piece is taken up and after it is put back.
  const isPutBack = page.waitForResponse((response) =>
    response.url().endsWith("/choices") && response.request().postDataJSON().path.length === 0);
  await drag("d1", "h5");
  await (await isPutBack).finished();
  await page.locator('match-board button[value="a1"]:not(.other)').waitFor();
  assert.equal(await page.locator("match-board button.chosen").count(), 0);
  assert.equal(await page.locator("match-board .dragged").count(), 0);
  assert.equal((await events(match)).length, 4);
  await drag("d1", "d2");
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("what is dropped before its choices are known waits for them", async () => {
  const { match, page } = await seated("ludus-magus");
  await page.route("**/choices", async (route) => {
    if (route.request().postDataJSON().path.length > 0)
      await page.locator("match-board .dragged").waitFor({ state: "detached" });
    await route.continue();
  });
  await place(page, "d1").waitFor();
  await page.mouse.move(...(await middle(page, "d1")));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "d2")), { steps: 4 });
  await page.mouse.up();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

test("a piece that is dragged again before the first answer goes where the second drag ends", async () => {
  const { match, page } = await seated("ludus-magus");
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route("**/choices", async (route) => {
    if (route.request().postDataJSON().path.length > 0) await isReleased;
    await route.continue();
  });
  await place(page, "d1").waitFor();
  const grip = await middle(page, "d1");
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "h5")), { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(...grip);
  await page.mouse.down();
  release();
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await page.mouse.move(...(await middle(page, "d2")), { steps: 4 });
  await page.mouse.up();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

test("a piece that was dropped where it can't go can be dragged again at once", async () => {
  const { match, page } = await seated("ludus-magus");
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await place(page, "d1").waitFor();
  const [grip, target] = [await middle(page, "d1"), await middle(page, "d2")];
  await page.route("**/choices", async (route) => {
    if (route.request().postDataJSON().path.length === 0) await isReleased;
    await route.continue();
  });
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "h5")), { steps: 4 });
  // The choices are laid out while the piece is somewhere else.
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await page.mouse.up();
  await page.mouse.move(...grip);
  await page.mouse.down();
  await page.mouse.move(...target, { steps: 4 });
  release();
  await page.mouse.up();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

test("a click on the board does not scroll the page", async () => {
  const { page } = await seated("ludus-magus", { viewport: { width: 360, height: 300 } });
  // Where it can go is above the window.
  await place(page, "d1").evaluate((button) => button.scrollIntoView({ block: "start" }));
  const before = await page.evaluate(() => scrollY);
  await page.mouse.click(...(await middle(page, "d1")));
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await page.evaluate(() => document.querySelector("move-builder").updateComplete);
  assert.equal(await page.evaluate(() => scrollY), before);
  await page.context().close();
});

test("what was dropped is not put down by a later click, once its choices were refused", async () => {
  const { match, page } = await seated("ludus-magus");
  let isRefused = true;
  await page.route("**/choices", async (route) => {
    if (!isRefused || route.request().postDataJSON().path.length === 0) return route.continue();
    await page.locator("match-board .dragged").waitFor({ state: "detached" });
    const error = { code: 13, status: "INTERNAL", reason: "INTERNAL", message: "it broke" };
    return route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ error }) });
  });
  await place(page, "d1").waitFor();
  await page.mouse.move(...(await middle(page, "d1")));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, "d2")), { steps: 4 });
  await page.mouse.up();
  await page.locator("move-builder .refusal").filter({ hasText: /./ }).waitFor();
  isRefused = false;
  await place(page, "d1").click();
  await page.locator('match-board button.chosen[value="d1"]').waitFor();
  await page.locator('match-board button[value="d2"]:not(.other)').waitFor();
  await page.evaluate(() => document.querySelector("move-builder").updateComplete);
  assert.equal(await page.locator("match-board button.chosen").count(), 1);
  assert.equal((await events(match)).length, 4);
  await page.context().close();
});

test("an answer that comes late does not replace that to a newer question", async () => {
  const { page } = await seated("ludus-magus");
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route("**/choices", async (route) => {
    if (route.request().postDataJSON().path[0] === "d1") await isReleased;
    await route.continue();
  });
  const late = page.waitForResponse((response) => response.request().postDataJSON()?.path?.[0] === "d1");
  await place(page, "d1").click();
  await place(page, "a1").click();
  const chosen = page.locator('match-board button.chosen[value="a1"]');
  await chosen.waitFor();
  release();
  await (await late).finished();
  await page.evaluate(() => document.querySelector("move-builder").updateComplete);
  assert.equal(await chosen.count(), 1);
  await page.context().close();
});

test("on a phone the question is right below the board, above the slider", async () => {
  for (const game of ["ludus-magus", "ace-exorcist", "angels-and-demons", "cresnovian-chess"]) {
    const match = await service.match({ gameId: game });
    const page = await openWindow(browser, faults, PHONE);
    await seatAt(page, service.url, match, 0, "Ada");
    // Measured at once: what arrives draws elements again.
    const edges = await page.waitForFunction(() => {
      const selectors = ["match-board", "move-builder h2", "match-timeline"];
      if (!document.querySelector("match-board")?.shadowRoot?.querySelector("svg")) return null;
      const found = selectors.map((selector) => document.querySelector(selector));
      if (found.includes(null)) return null;
      const boxes = found.map((element) => element.getBoundingClientRect());
      return boxes.every((box) => box.height > 0) && boxes.map(({ top, bottom }) => ({ top, bottom }));
    });
    const [board, question, slider] = await edges.jsonValue();
    assert.ok(question.top >= board.bottom, game);
    assert.ok(question.bottom <= slider.top, game);
    assert.ok(question.top - board.bottom < 130, `${game}: ${question.top - board.bottom} pixels between`);
    await page.context().close();
  }
});

test("on a phone a long name beside the board's buttons covers none of them", async () => {
  const clocks = { timeControl: { bank: { budget: "36000s" } } };
  const match = await service.match({ gameId: "ludus-magus", ...clocks }, [
    "Wilhelmina ".repeat(3).trim(),
    "Ben",
  ]);
  const page = await openWindow(browser, faults, PHONE);
  await seatAt(page, service.url, match, 0, "Ada");
  await place(page, "d1").waitFor();
  // Measured at once: a clock changes its width.
  const edges = await page.waitForFunction(() => {
    const found = [".under .turn", ".under .seats li", ".under .clock"].map((one) =>
      document.querySelector(one),
    );
    if (found.includes(null)) return null;
    return found
      .map((element) => element.getBoundingClientRect())
      .map(({ left, right }) => ({ left, right }));
  });
  const [turn, row, clock] = await edges.jsonValue();
  assert.ok(turn.right <= row.left, `${turn.right} and ${row.left}`);
  assert.ok(clock.right <= row.right && row.right <= 360, `${clock.right}, ${row.right}`);
  await page.context().close();
});

test("a question stays as it is when the events before it arrive after it", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  const asked = [];
  page.on("request", (request) => request.url().endsWith("/choices") && asked.push(request.url()));
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await page.route(/\/events(\?|$)/, async (route) => (await isReleased, route.continue()));
  await seatAt(page, service.url, match, 0, "Ada");
  await page.waitForFunction(() => {
    const builder = document.querySelector("move-builder");
    window.heading = builder?.querySelector("h2");
    return builder?.question && !builder.isUpdatePending;
  });
  assert.equal(await page.evaluate(() => document.querySelector("move-builder").positionSeq), 0);
  release();
  await page.waitForFunction(() => {
    const builder = document.querySelector("move-builder");
    return builder.positionSeq > 0 && builder.question && !builder.isUpdatePending;
  });
  assert.ok(await page.evaluate(() => window.heading.isConnected), "the question is drawn again");
  assert.equal(asked.length, 1);
  await page.context().close();
});

test("on a phone a target of Ludus Magus can be hit, and on the larger board with any finger", async () => {
  const { match, page } = await seated("ludus-magus", PHONE);
  const sizes = () =>
    page.locator("match-board button").evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return Math.min(width, height);
      }),
    );
  const small = await sizes();
  assert.equal(small.length, 12);
  assert.ok(
    small.every((size) => size >= 23.9),
    small.join(),
  );
  await page.getByRole("button", { name: "Larger board" }).tap();
  await page.waitForFunction(() => document.querySelector("match-board").scrollTop > 0);
  const large = await sizes();
  assert.ok(
    large.every((size) => size >= 43.9),
    large.join(),
  );
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.ok(excess <= 0, "the page itself does not scroll sideways");
  await place(page, "d1").tap();
  await place(page, "d2").tap();
  await played(page, "White: d1-d2");
  assert.equal((await events(match)).length, 5);
  await page.context().close();
});

test("the list of moves is scrolled to its last entry, and to the one that is shown", async () => {
  const match = await service.match({ gameId: "angels-and-demons" });
  for (let turn = 0; turn < 6; turn++) {
    for (const token of match.tokens) {
      const { notation } = await service.call(`/v1/matches/${match.id}/moves:suggest`, undefined, token);
      await service.call(`/v1/matches/${match.id}/moves`, { notation }, token);
    }
  }
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  const isSeen = (seq) => page.waitForFunction((seq) => {
    const row = document.querySelector("move-list [aria-current]");
    if (Number(row?.querySelector(".number").textContent) !== seq) return false;
    const [own, list] = [row.getBoundingClientRect(), row.closest("ol").getBoundingClientRect()];
    return own.top >= list.top && own.bottom <= list.bottom;
  }, seq);
  const seq = (await events(match)).length;
  await isSeen(seq);
  await page.keyboard.press("Home");
  await isSeen(1);
  await page.getByRole("slider").fill(String(seq - 7));
  await isSeen(seq - 7);
  await page.keyboard.press("End");
  await isSeen(seq);
  await service.call(`/v1/matches/${match.id}/proposals`, { kind: "PROPOSAL_KIND_DRAW" }, match.tokens[1]);
  await isSeen(seq + 1);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("seats are told once on the page, in words", async () => {
  const { match: open } = await service.call("/v1/matches", { gameId: "cresnovian-chess" });
  const claim = { player: { displayName: "Ada" } };
  await service.call(`/v1/matches/${open.matchId}/seats/0:claim`, claim);
  await service.call("/v1/matches", { gameId: "angels-and-demons" });
  const page = await openWindow(browser, faults);
  await page.goto(`${service.url}/`);
  await page.getByText("Ada plays Player One; Player Two is free").waitFor();
  await page.getByText("Both seats are free").first().waitFor();
  const match = await service.match({ gameId: "ludus-magus" });
  await page.goto(`${service.url}/matches/${match.id}`);
  await page.locator("match-clocks bdi", { hasText: "Ada" }).waitFor();
  // The board names the players; for screen readers a hidden list does.
  assert.equal(await page.locator("match-clocks ul:not(.hidden)").count(), 0);
  assert.equal(await page.locator("match-clocks bdi", { hasText: "Ada" }).count(), 1);
  await page.context().close();
});
