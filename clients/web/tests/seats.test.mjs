// Seats: kept over reloads, never lost with an answer, played by a bot or by two people at one device;
// refusals in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

import { numbersFrom, playMove } from "./player.mjs";
import { openWindow, seatAt, sessionOf } from "./running.mjs";
import { browser, faults, service } from "./stage.mjs";

const create = async (page, game, opponent, fill = async () => {}) => {
  await page.goto(`${service.url}/new/${game}`);
  await page.getByLabel("Your name", { exact: true }).fill("Ada");
  await page.getByRole("radio", { name: opponent }).check();
  await fill();
  await page.getByRole("button", { name: "Create the match" }).click();
  await page.waitForURL(/\/matches\//);
};
const tokenOf = (page) =>
  page.evaluate(
    () =>
      JSON.parse(Object.entries(localStorage).find(([key]) => key.startsWith("matchbook.seats."))[1]).seats[0]
        ?.token,
  );

test("a seat is kept over a reload and in a new tab", async () => {
  const page = await openWindow(browser, faults);
  const { id, tokens } = await service.match({ gameId: "ludus-magus" });
  await seatAt(page, service.url, { id, tokens }, 0, "Ada");
  await page.locator("move-builder").waitFor();
  await page.reload();
  await page.locator("move-builder").waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/matches/${id}`);
  await tab.locator("move-builder").waitFor();
  const { seq } = await sessionOf(tab);
  await playMove(page, numbersFrom(1));
  await tab.waitForFunction((seq) => document.querySelector("match-page").session.view.seq > seq, seq);
  await tab.locator("move-builder").waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a claim whose answer is lost gets the seat all the same", async () => {
  const page = await openWindow(browser, faults);
  const { match } = await service.call("/v1/matches", { gameId: "ludus-magus" });
  let lost = 0;
  const claims = [];
  await page.route("**/seats/0:claim", async (route) => {
    claims.push(route.request().postDataJSON());
    if (lost++ > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.goto(`${service.url}/matches/${match.matchId}`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Play White" }).click();
  await page.getByText("Invite the other player").waitFor();
  assert.ok(claims.length > 2);
  assert.equal(new Set(claims.map((claim) => JSON.stringify(claim))).size, 1, "the same claim each time");
  assert.match(await tokenOf(page), /^mbs_/);
  await page.context().close();
});

test("a claim whose answer is lost for good is made again after a reload", async () => {
  const page = await openWindow(browser, faults);
  const { match } = await service.call("/v1/matches", { gameId: "ludus-magus" });
  // The reload ends a claim that is under way.
  const claim = (route) => route.fetch().then(() => route.abort()).catch(() => {});
  await page.route("**/seats/0:claim", claim);
  await page.goto(`${service.url}/matches/${match.matchId}`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Play White" }).click();
  await page.waitForFunction(() =>
    Object.values(localStorage).some((value) => value.includes("claimSecret")),
  );
  await page.unroute("**/seats/0:claim", claim);
  await page.reload();
  await page.getByText("Invite the other player").waitFor();
  assert.match(await tokenOf(page), /^mbs_/);
  await page.context().close();
});

test("a bot moves, and is asked again after a failure", async () => {
  const page = await openWindow(browser, faults);
  // Refused for good twice, so that the bot itself tries again, then lost twice, which the call makes up for.
  const body = JSON.stringify({
    error: { code: 500, status: "INTERNAL", reason: "INTERNAL", message: "it failed" },
  });
  const failures = ["refused", "refused", "lost", "lost"];
  await page.route("**/moves:suggest*", (route) => {
    const failure = failures.shift();
    if (failure === "refused") return route.fulfill({ status: 500, contentType: "application/json", body });
    return failure ? route.abort() : route.continue();
  });
  await create(page, "angels-and-demons", "A bot");
  await page.locator(".status").filter({ hasText: "Demons have chosen" }).waitFor({ timeout: 90_000 });
  await playMove(page, numbersFrom(3));
  await page.locator("move-list").getByText(/Angels: \d,\d; Demons: \d,\d/).waitFor();
  assert.equal(failures.length, 0);
  await page.context().close();
});

test("two people at one device see a cover between their turns, and never the other's hand", async () => {
  const page = await openWindow(browser, faults);
  await create(page, "ace-exorcist", "Someone here", () =>
    page.getByLabel("The other player's name").fill("Ben"),
  );
  await page.getByRole("button", { name: "I am Ada" }).click();
  await page.locator("move-builder").waitFor();
  assert.equal(
    await page
      .locator("match-board [id^=card-bell], match-board [id^=card-book], match-board [id^=card-candle]")
      .count(),
    0,
  );
  await playMoveBy(page, "pass");
  await page.getByRole("heading", { name: "Pass the device to Ben" }).waitFor();
  assert.equal(await page.locator("match-board").count(), 0);
  await page.getByRole("button", { name: "I am Ben" }).click();
  await page.locator("move-builder").waitFor();
  assert.equal(
    await page
      .locator("match-board [id^=card-blood], match-board [id^=card-blade], match-board [id^=card-flame]")
      .count(),
    0,
  );
  await page.context().close();
});

const playMoveBy = async (page, notation) => {
  await page.getByLabel("Type a move").fill(notation);
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("button.play").click();
};

test("a refused move and a refused match are told in sentences", async () => {
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, await service.match({ gameId: "angels-and-demons" }), 0, "Ada");
  await page.locator("move-builder").waitFor();
  await page.getByLabel("Type a move").fill("3,4");
  await page.getByRole("button", { name: "Check" }).click();
  await page.locator("move-builder .refusal").filter({ hasText: /^[A-Z].*AD-4.*[.)]$/ }).waitFor();
  await page.goto(`${service.url}/new/angels-and-demons`);
  await page.getByLabel("Your name", { exact: true }).fill("Ada");
  await page.getByText("Options", { exact: true }).click();
  await page.locator("[name=rows]").fill("4");
  await page.locator("[name=cols]").fill("5");
  await page.getByRole("button", { name: "Create the match" }).click();
  await page.locator(".refusal").filter({ hasText: /^[A-Z].*even.*\.$/ }).waitFor();
  await page.context().close();
});

test("the focus stays on the board over the other seat's events; no button is inside an image", async () => {
  const page = await openWindow(browser, faults);
  const match = await service.match({ gameId: "angels-and-demons" });
  await seatAt(page, service.url, match, 0, "Ada");
  const square = page.locator("match-board button[value='3,3']");
  await square.focus();
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "1,1" }, match.tokens[1]);
  await page.locator(".status").filter({ hasText: "Demons have chosen" }).waitFor();
  assert.equal(
    await page.evaluate(() => document.querySelector("match-board").shadowRoot.activeElement?.value),
    "3,3",
  );
  assert.equal(
    await page.locator("match-board [role=img] :is(button, [role=button], [tabindex])").count(),
    0,
  );
  await page.context().close();
});

test("draw, takeback, resignation and rematch", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const [ada, ben] = [await openWindow(browser, faults), await openWindow(browser, faults)];
  await seatAt(ada, service.url, match, 0, "Ada");
  await seatAt(ben, service.url, match, 1, "Ben");
  await ada.getByRole("button", { name: "Offer a draw" }).click();
  await ben.getByText("White proposes a draw.").first().waitFor();
  await ben.getByRole("button", { name: "Decline" }).click();
  await ada.locator("move-list").getByText("Black declines a draw").waitFor();
  await ada.getByRole("button", { name: "Offer a draw" }).click();
  await ada.locator("match-actions .refusal").filter({ hasText: /\.$/ }).waitFor();
  await playMove(ada, numbersFrom(2));
  await ada.getByRole("button", { name: "Ask to take back" }).click();
  await ben.getByRole("button", { name: "Accept" }).click();
  await ada.locator("move-builder").waitFor();
  await ben.getByRole("button", { name: "Resign" }).click();
  await ben.getByRole("button", { name: "Resign for good" }).click();
  await ada.locator(".status").filter({ hasText: "White won by resignation." }).waitFor();
  await ada.getByRole("button", { name: "Rematch" }).click();
  await ada.waitForURL((url) => !url.pathname.includes(match.id));
  await ben.getByRole("button", { name: "Rematch" }).click();
  await ben.waitForURL((url) => !url.pathname.includes(match.id));
  assert.equal(ada.url(), ben.url());
  await ben.locator("move-builder").waitFor();
  assert.deepEqual(faults, []);
  await Promise.all([ada, ben].map((page) => page.context().close()));
});

test("what is stored in a wrong form is no seat, and hides no match", async () => {
  const match = await service.match({ gameId: "ludus-magus" });
  const forms = [
    "{",
    "null",
    "[]",
    '"x"',
    '{"seats":5}',
    '{"seats":[null,{"seat":"0"}],"claims":7,"timeMs":"a"}',
    // No header can hold such a token, and the service takes none as long.
    '{"seats":[{"seat":0,"name":"Ada","player":"person","token":"mbs_\u2192"}]}',
    JSON.stringify({ seats: [{ seat: 0, name: "Ada", player: "person", token: "x".repeat(100_000) }] }),
  ];
  for (const stored of forms) {
    const page = await openWindow(browser, faults);
    await page.addInitScript(([name, stored]) => localStorage.setItem(name, stored),
      [`matchbook.seats.${match.id}`, stored]);
    await page.goto(`${service.url}/matches/${match.id}`);
    await page.getByText("Waiting for White.").waitFor();
    await page.goto(`${service.url}/`);
    await page.locator(".matches li").first().waitFor();
    await page.context().close();
  }
  assert.deepEqual(faults, []);
});

test("a stored API key that no header can hold is none", async () => {
  const page = await openWindow(browser, faults);
  await page.addInitScript(() => localStorage.setItem("matchbook.api_key", "mbk_\u2192"));
  await page.goto(`${service.url}/`);
  await page.locator(".matches li").first().waitFor();
  await page.locator("key-form summary").filter({ hasText: /^API key$/ }).waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a browser that keeps nothing watches, and takes no seat that it would lose", async () => {
  const { match } = await service.call("/v1/matches", { gameId: "ludus-magus" });
  const page = await openWindow(browser, faults);
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", {
    get: () => { throw new DOMException("The operation is insecure.", "SecurityError"); },
  }));
  const refused = () => page.getByText("This browser keeps nothing for this page").waitFor();
  await page.goto(`${service.url}/matches/${match.matchId}`);
  await page.locator("match-board svg").waitFor();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Play White" }).click();
  await refused();
  const { view } = await service.call(`/v1/matches/${match.matchId}/view`);
  assert.equal(view.seq, 1, "nothing was sent");
  const before = (await service.call("/v1/matches")).matches.length;
  await page.goto(`${service.url}/new/ludus-magus`);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Create the match" }).click();
  await refused();
  assert.equal((await service.call("/v1/matches")).matches.length, before);
  await page.goto(`${service.url}/`);
  await page.locator(".matches li").first().waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});
