// What a page receives says nothing about what its seat may not see: the traffic of two deals that differ in
// hidden cards is the same, for a spectator and for a seat, and a seat's has none of the other seat's cards.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { similarDeals } from "./deals.mjs";
import { openWindow, seatAt, Service, sessionOf, startBrowser } from "./running.mjs";

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

// Records everything that a window receives from the API, streams included.
const record = async (page) => {
  const received = [];
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const bodies = [];
  const urls = new Map();
  client.on("Network.responseReceived", ({ requestId, response }) => {
    urls.set(requestId, response.url);
    if (response.url.includes("/watch"))
      client.send("Network.streamResourceContent", { requestId }).then(
        ({ bufferedData }) => received.push(Buffer.from(bufferedData, "base64").toString()),
        () => {},
      );
  });
  client.on(
    "Network.dataReceived",
    ({ data }) => data && received.push(Buffer.from(data, "base64").toString()),
  );
  client.on("Network.loadingFinished", ({ requestId }) => {
    const url = urls.get(requestId);
    // What the page before asked for is gone with it, and is no match's.
    if (!url?.includes("/v1/matches/") || url.includes("/watch")) return;
    const body = client.send("Network.getResponseBody", { requestId });
    bodies.push(body.then(({ body }) => received.push(`${new URL(url).pathname} ${body}`)));
  });
  return async () => {
    await Promise.all(bodies);
    return received;
  };
};

// Removes what differs between any two matches: IDs, hashes, times, and whether the watch was counted
// already.
const normal = (text) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/g, "TIME")
    .replace(/"[A-Za-z0-9+/]{40,}={0,2}"/g, '"BYTES"')
    .replace(/"spectatorCount":\d+/g, '"spectatorCount":N');

const deal = async () => {
  const match = await service.match({ gameId: "ace-exorcist" });
  const hands = [];
  for (const [seat, side] of ["summoner", "exorcist"].entries()) {
    const { view } = await service.call(`/v1/matches/${match.id}/view`, undefined, match.tokens[seat]);
    hands.push(view.gameView.aceExorcist[side].hand.cards);
  }
  return { match, hands };
};

const watched = async (page, match, go) => {
  const stop = await record(page);
  await go(page);
  await page.locator("match-board svg").waitFor();
  await page.waitForFunction(() => document.querySelector("match-page").session.isComplete);
  await service.call(`/v1/matches/${match.id}/moves`, { notation: "pass" }, match.tokens[0]);
  await page.waitForFunction(() => document.querySelector("match-page").session.view.seq === 5);
  await page.waitForFunction(() => document.querySelector("match-page").shownSeq === 5);
  assert.equal((await sessionOf(page)).seq, 5);
  return stop();
};

test("a spectator's traffic is the same for two deals", async () => {
  const faults = [];
  const traffic = [];
  const hands = [];
  for (let index = 0; index < 2; index++) {
    const dealt = await deal();
    const page = await openWindow(browser, faults);
    const received = await watched(page, dealt.match, () =>
      page.goto(`${service.url}/matches/${dealt.match.id}`),
    );
    traffic.push(received.map(normal).join("\n").split("\n").sort());
    hands.push(dealt.hands);
    await page.context().close();
  }
  assert.notDeepEqual(hands[0], hands[1], "the deals differ");
  assert.ok(traffic[0].length > 8, `${traffic[0].length} lines were recorded`);
  assert.deepEqual([...new Set(traffic[0])], [...new Set(traffic[1])]);
  assert.deepEqual(faults, []);
});

test("a seat's traffic names none of the other seat's cards", async () => {
  const faults = [];
  const { match, hands } = await deal();
  const page = await openWindow(browser, faults);
  const received = await watched(page, match, () => seatAt(page, service.url, match, 0, "Ada"));
  const text = received.join("\n");
  const [own, hidden] = hands.map((cards) =>
    cards.map(({ suit, value }) => ({ suit, name: suit.replace("SUIT_", "").toLowerCase(), value })),
  );
  for (const { suit, name } of hidden) {
    assert.ok(!text.includes(`"${suit}"`), `${suit} is in the traffic`);
    assert.ok(!text.includes(`card-${name}-`), `a card of ${name} is drawn`);
  }
  assert.ok(own.every(({ suit }) => text.includes(`"${suit}"`)), "the own hand was recorded");
  const kept = await page.evaluate(() => JSON.stringify(document.querySelector("match-page").session.view));
  assert.ok(hidden.every(({ suit }) => !kept.includes(suit)));
  assert.deepEqual(faults, []);
  await page.context().close();
});

test("a seat's traffic is the same for two deals that differ in the other seat's cards alone", async () => {
  const faults = [];
  const traffic = [];
  const deals = await similarDeals(service);
  for (const match of deals) {
    const page = await openWindow(browser, faults);
    const received = await watched(page, match, () => seatAt(page, service.url, match, 0, "Ada"));
    traffic.push(received.map(normal).join("\n").split("\n").sort());
    await page.context().close();
  }
  const packs = await Promise.all(
    deals.map((match) =>
      service
        .call(`/v1/matches/${match.id}:resign`, {}, match.tokens[0])
        .then(() => service.call(`/v1/matches/${match.id}/view?viewer.kind=KIND_OPEN`)),
    ),
  );
  const [one, other] = packs.map(({ view }) => view.gameView.aceExorcist);
  assert.deepEqual(one.summoner.hand, other.summoner.hand);
  assert.notDeepEqual(one.exorcist.hand, other.exorcist.hand);
  assert.ok(traffic[0].length > 8, `${traffic[0].length} lines were recorded`);
  assert.ok(traffic[0].some((line) => line.includes("SUIT_")), "the own hand was recorded");
  assert.deepEqual([...new Set(traffic[0])], [...new Set(traffic[1])]);
  assert.deepEqual(faults, []);
});
