// The seats that this browser holds: their tokens, and claims whose answer is still to come. They are in this
// browser's storage and nowhere else, never in a URL.

import { isCredential } from "../api/credential.js";
import { Refusal } from "../api/refusal.js";
import { claimSeat, newRequestId, newSecret } from "../api/service.js";
import { canKeep, forget, keep, load, namesWith } from "../storage/storage.js";

/** @typedef {"person" | "bot"} Player who decides the seat's moves */
/** @typedef {{seat: number, name: string, player: Player, token: string, isStale?: boolean}} HeldSeat
 * `isStale`: the token was replaced elsewhere */
/** @typedef {import("../api/service.js").Claim & {player: Player}} PendingClaim */
/** @typedef {{seats: HeldSeat[], claims: PendingClaim[], timeMs: number}} Held */

const PREFIX = "matchbook.seats.";
const NAME = "matchbook.name";

/** @param {string} matchId @returns {Held} */
const read = (matchId) => {
  const { seats, claims, timeMs } = parsed(load(PREFIX + matchId) ?? "");
  return {
    seats: whole(seats, "token"),
    claims: whole(claims, "claimSecret"),
    timeMs: Number(timeMs) || Date.now(),
  };
};

// An entry that is damaged must not hide the match.
const parsed = (/** @type {string} */ stored) => {
  try {
    return Object(JSON.parse(stored));
  } catch {
    return {};
  }
};

/** Returns those of a list that name their seat and have their secret.
 * @param {unknown} list @param {string} secret */
const whole = (list, secret) =>
  (Array.isArray(list) ? list : []).filter((one) =>
    Number.isInteger(one?.seat) && typeof one.name === "string" && isCredential(one[secret]));

/** @param {string} matchId @param {(held: Held) => void} edit */
const update = (matchId, edit) => {
  const held = read(matchId);
  edit(held);
  keep(PREFIX + matchId, JSON.stringify(held));
};

/** Returns the seats of a match that this browser holds. @param {string} matchId */
export const heldSeats = (matchId) => read(matchId).seats.filter(({ isStale }) => !isStale);

/** Returns the seats of a match that this browser held until their tokens were replaced.
 * @param {string} matchId */
export const staleSeats = (matchId) => read(matchId).seats.filter(({ isStale }) => isStale);

/** Notes that the service refused a seat's token for good.
 * @param {string} matchId @param {number} seat @param {string} token */
export const markStale = (matchId, seat, token) =>
  update(matchId, ({ seats }) => {
    for (const held of seats) if (held.seat === seat && held.token === token) held.isStale = true;
  });

/** Returns this browser's tokens in a match, by seat.
 * @param {string | undefined} matchId @returns {Record<number, string>} */
export const tokensOf = (matchId) =>
  matchId ? Object.fromEntries(heldSeats(matchId).map(({ seat, token }) => [seat, token])) : {};

/** Returns the matches in which this browser holds a seat, newest first. */
export const heldMatches = () => {
  const ids = namesWith(PREFIX).map((name) => name.slice(PREFIX.length));
  return ids.sort((one, other) => read(other).timeMs - read(one).timeMs);
};

/** Stores a seat. @param {string} matchId @param {HeldSeat} held */
export const keepSeat = (matchId, held) =>
  update(matchId, (all) => {
    const others = all.seats.filter(({ seat }) => seat !== held.seat);
    all.seats = [...others, held].sort((one, other) => one.seat - other.seat);
    all.claims = all.claims.filter(({ seat }) => seat !== held.seat);
  });

/** Forgets the seats of a match. @param {string} matchId */
export const forgetSeats = (matchId) => forget(PREFIX + matchId);

/** Refuses to take a seat whose token this browser would lose. */
export const requireStorage = () => {
  if (canKeep()) return;
  const advice = "allow it to store data for this address, or use another browser";
  throw new Refusal(
    "NO_STORAGE",
    `this browser keeps nothing for this page, and would lose your seat; ${advice}`,
  );
};

/**
 * Claims a seat and keeps its token. The claim is stored before it is sent: if its answer is lost, the same
 * claim is made again, here or after a reload, and gets the same token.
 * @param {string} matchId @param {number} seat @param {{name: string, player: Player, token?: string}} who
 */
export const takeSeat = async (matchId, seat, { name, player, token }) => {
  requireStorage();
  const waiting = read(matchId).claims.find((claim) => claim.seat === seat && claim.name === name);
  const proof = { requestId: newRequestId(), claimSecret: newSecret(), entropy: newSecret() };
  const claim = waiting ?? { matchId, seat, name, player, token, ...proof };
  update(matchId, (held) => (held.claims = [...held.claims.filter((other) => other.seat !== seat), claim]));
  await makeClaim(claim);
};

/** @param {PendingClaim} claim */
const makeClaim = async ({ player, ...claim }) => {
  const drop = () =>
    update(claim.matchId, (held) => (held.claims = held.claims.filter((other) => other.seat !== claim.seat)));
  try {
    const token = await claimSeat(claim);
    if (token) keepSeat(claim.matchId, { seat: claim.seat, name: claim.name, player, token });
    else drop();
  } catch (error) {
    const refusal = /** @type {import("../api/refusal.js").Refusal} */ (error);
    if (!refusal.isTemporary) drop();
    throw error;
  }
};

/** Makes the claims again whose answer was lost. @param {string} matchId */
export const resumeClaims = async (matchId) => {
  for (const claim of read(matchId).claims) await makeClaim(claim);
};

/** Returns the name that this person used last. */
export const lastName = () => load(NAME) ?? "";

/** @param {string} name */
export const rememberName = (name) => keep(NAME, name);
