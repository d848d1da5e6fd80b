// Two deals of Ace Exorcist in which the Summoner's hand and next card are the same and the Exorcist's are
// not. Who knows what the service keeps secret can choose the entropy that is given last, and so the deal:
// docs/audit.md has the seed and the shuffle.

import { createCipheriv, createHash } from "node:crypto";

/** So many entropies of each match give about 28 pairs with equal cards. */
const CANDIDATES = 20_000;

const HAND = 6;
const PACK = 30;

const seedOf = (id, secret, entropies) => {
  const parts = [Buffer.from("matchbook.seed.v1\0"), Buffer.from(id.replaceAll("-", ""), "hex"), secret];
  for (const entropy of entropies) parts.push(Buffer.from([entropy.length]), entropy);
  return createHash("sha256").update(Buffer.concat(parts)).digest();
};

// The pack of seat 0, from its top.
const shuffled = (seed) => {
  const stream = createCipheriv("chacha20", seed, Buffer.alloc(16)).update(Buffer.alloc(1024));
  const pack = Array.from({ length: PACK }, (_, card) => card);
  let at = 0;
  for (let i = PACK - 1; i > 0; i--) {
    const limit = Math.floor(2 ** 32 / (i + 1)) * (i + 1);
    let word;
    do word = stream.readUInt32LE(4 * at++);
    while (word >= limit);
    const j = word % (i + 1);
    [pack[i], pack[j]] = [pack[j], pack[i]];
  }
  return pack;
};

const entropyOf = (number) => {
  const entropy = Buffer.alloc(32, 7);
  entropy.writeUInt32LE(number);
  return entropy;
};

// Creates a match whose seat 0 is taken, and lists what the entropies of seat 1 lead to.
const prepared = async (service) => {
  const { match } = await service.call("/v1/matches", { gameId: "ace-exorcist" });
  const id = match.matchId;
  const first = entropyOf(2 ** 31);
  const token = await claim(service, id, 0, first);
  const secret = service.secretOf(id);
  const deals = new Map();
  for (let number = 0; number < CANDIDATES; number++) {
    const pack = shuffled(seedOf(id, secret, [first, entropyOf(number)]));
    const hand = pack.slice(0, HAND).sort((one, other) => one - other);
    deals.set([...hand, pack[HAND]].join(" "), number);
  }
  return { id, token, deals };
};

const claim = async (service, id, seat, entropy) => {
  const body = { player: { displayName: seat === 0 ? "Ada" : "Ben" }, entropy: entropy.toString("base64") };
  return (await service.call(`/v1/matches/${id}/seats/${seat}:claim`, body)).seatToken;
};

/** Returns two such matches, both running, with their tokens. */
export const similarDeals = async (service) => {
  for (let tries = 0; tries < 10; tries++) {
    const both = [await prepared(service), await prepared(service)];
    const cards = [...both[0].deals.keys()].find((cards) => both[1].deals.has(cards));
    if (cards === undefined) continue;
    return Promise.all(both.map(async ({ id, token, deals }) => {
      const other = await claim(service, id, 1, entropyOf(deals.get(cards)));
      return { id, tokens: [token, other] };
    }));
  }
  throw new Error("no two deals have the same cards: the shuffle is not what docs/audit.md says");
};
