// Simultaneous choices: what is revealed is compared with the commitments that the page had before.

import assert from "node:assert/strict";
import { test } from "node:test";

import { openWindow, seatAt } from "./running.mjs";
import { browser, faults, service } from "./stage.mjs";

/** What the event has of each seat: a tag and length, seat, tag and length, 32 bytes of salt, 4 bytes of
 * choice. */
const OPENING_BYTES = 42;
const [SALT_STARTS, CHOICE_ENDS] = [6, 41];

const move = ({ id, tokens }, seat, notation) =>
  service.call(`/v1/matches/${id}/moves`, { notation }, tokens[seat]);

const check = (page, text) => page.locator("sealed-check", { hasText: text }).waitFor();

const seated = async () => {
  const match = await service.match({ gameId: "angels-and-demons" });
  const page = await openWindow(browser, faults);
  await seatAt(page, service.url, match, 0, "Ada");
  await page.locator("move-builder").waitFor();
  return { match, page };
};

test("a choice that was committed to before fits, and the page says what that stands on", async () => {
  const { match, page } = await seated();
  await move(match, 1, "2,2");
  await page.locator(".status").filter({ hasText: "Demons have chosen" }).waitFor();
  await move(match, 0, "1,1");
  await check(page, "What Demons chose was fixed before it was revealed");
  await check(page, "not against a service that told one player the other's choice");
  assert.equal(await page.locator("sealed-check .refusal").count(), 0);
  await page.reload();
  await check(page, "which this page got only with or after it");
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a choice other than the one committed to is told as an alarm", async () => {
  for (const forge of [
    // Another choice under the same salt, another salt, and another event.
    (second) => (second[CHOICE_ENDS] ^= 1),
    (second) => (second[SALT_STARTS] ^= 1),
    (_, event) => (event.hash = `AAAA${event.hash.slice(4)}`),
  ]) {
    const { match, page } = await seated();
    await page.route("**/log", async (route) => {
      const answer = await route.fetch();
      const lines = (await answer.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
      const { event } = lines.find((line) => line.event?.seq === 7);
      const part = Buffer.from(event.publicPart, "base64");
      forge(part.subarray(OPENING_BYTES), event);
      event.publicPart = part.toString("base64");
      await route.fulfill({ body: lines.map((line) => JSON.stringify(line)).join("\n") });
    });
    await move(match, 1, "2,2");
    await move(match, 0, "1,1");
    await check(page, "What Demons is said to have chosen is not what was committed to");
    await page.locator("sealed-check .refusal").waitFor();
    await page.context().close();
  }
});
