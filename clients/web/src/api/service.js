// The service's calls. Nothing else in the page knows a path, a header or a field of a request.

import { call, callForText } from "./call.js";
import { foreign } from "./refusal.js";

/** @typedef {import("./messages.js").Match} Match */
/** @typedef {import("./messages.js").Game} Game */
/** @typedef {{matchId: string, token?: string}} Place a match, and the seat that calls */
/** @typedef {{matchId: string, seat: number, name: string, requestId: string, claimSecret: string,
 *   entropy: string,
 *   token?: string}} Claim */

const path = (/** @type {string} */ matchId) => `/v1/matches/${encodeURIComponent(matchId)}`;

/** Returns a new ID for a call that may be repeated. */
export const newRequestId = () => {
  // crypto.randomUUID needs a secure context, which a service in the local network is not.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

/** Returns 32 random bytes as base64. */
export const newSecret = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

/** Makes a change that may be repeated. @param {string} to @param {Place} place @param {object} fields */
const change = (to, { matchId, token }, fields) =>
  call(path(matchId) + to, { token, body: { requestId: newRequestId(), ...fields }, isSafe: true });

/** @returns {Promise<Game[]>} */
export const listGames = async () => (await call("/v1/games", { query: { pageSize: 200 } })).games;

/** @param {string} gameId @returns {Promise<Game>} */
export const getGame = async (gameId) => (await call(`/v1/games/${encodeURIComponent(gameId)}`)).game;

/** Lists the newest public matches. @param {{status: string, gameId?: string, pageSize?: number}} query
 * @returns {Promise<Match[]>} */
export const listMatches = async (query) => (await call("/v1/matches", { query })).matches;

/** @param {Place} place @returns {Promise<Match>} */
export const getMatch = async ({ matchId, token }) => (await call(path(matchId), { token })).match;

/** Creates a match. The same request ID gives the same match.
 * @param {object} request @returns {Promise<Match>} */
export const createMatch = async (request) =>
  (await call("/v1/matches", { body: request, isSafe: true })).match;

/** Claims a seat. The same claim gives the same token. @param {Claim} claim @returns {Promise<string>} */
export const claimSeat = async ({ matchId, seat, name, token, ...proof }) => {
  const body = { player: { displayName: name }, ...proof };
  return (await call(`${path(matchId)}/seats/${seat}:claim`, { token, body, isSafe: true })).seatToken;
};

/** Lists a page of events. @param {Place} place @param {{afterSeq: number, pageToken?: string}} query
 * @returns {Promise<{events: import("./messages.js").MatchEvent[], nextPageToken: string}>} */
export const listEvents = ({ matchId, token }, query) =>
  call(`${path(matchId)}/events`, { token, query: { pageSize: 500, ...query } });

/** @param {Place} place @param {{atSeq?: number, "viewer.kind"?: string, "viewer.seat"?: number}} query
 * @returns {Promise<import("./messages.js").View>} */
export const getView = async ({ matchId, token }, query) =>
  (await call(`${path(matchId)}/view`, { token, query })).view;

/** Draws a position. @param {Place} place @param {object} query as for getView, and `theme`
 * @param {AbortSignal} [signal] @returns {Promise<string>} */
export const drawBoard = async ({ matchId, token }, query, signal) => {
  const drawing = await callForText(`${path(matchId)}/board.svg`, { token, query: { ...query }, signal });
  if (!/^<svg[\s>][^]*<\/svg>\s*$/.test(drawing)) throw foreign();
  return drawing;
};

/** Returns the log as a file's text. @param {Place} place */
export const exportLog = ({ matchId, token }) => callForText(`${path(matchId)}/log`, { token });

/** @param {Place} place @param {string[]} answers @param {number | undefined} expectedSeq
 * @returns {Promise<import("./messages.js").Choices>} */
export const getChoices = ({ matchId, token }, answers, expectedSeq) =>
  call(`${path(matchId)}/choices`, { token, body: { path: answers, expectedSeq }, isSafe: true });

/** @param {Place} place @returns {Promise<import("./messages.js").LegalMoves>} */
export const listLegalMoves = ({ matchId, token }) => call(`${path(matchId)}/legalMoves`, { token });

/** @param {Place} place @param {string} notation @param {number | undefined} expectedSeq
 * @returns {Promise<{seq: number, legal: boolean,
 *   refusal?: {message: string, paragraph: string, reason: string}}>} */
export const checkMove = ({ matchId, token }, notation, expectedSeq) =>
  call(`${path(matchId)}/moves:check`, { token, body: { notation, expectedSeq }, isSafe: true });

/** @param {Place} place @returns {Promise<{seq: number, move: object, notation: string}>} */
export const suggestMove = ({ matchId, token }) =>
  call(`${path(matchId)}/moves:suggest`, { token, query: { strategy: "STRATEGY_GREEDY" } });

/** Makes a move. @param {Place} place @param {{notation: string, expectedSeq?: number}} move
 * @returns {Promise<{view: import("./messages.js").View}>} */
export const submitMove = (place, move) => change("/moves", place, move);

/** @param {Place} place */
export const resign = (place) => change(":resign", place, {});

/** @param {Place} place */
export const abortMatch = (place) => change(":abort", place, {});

/** @param {Place} place @param {string} kind */
export const propose = (place, kind) => change("/proposals", place, { kind });

/** @param {Place} place @param {string} kind @param {boolean} accept */
export const answerProposal = (place, kind, accept) => change("/proposals:answer", place, { kind, accept });

/** @param {Place} place @param {{requestId: string, claimSecret: string}} proof
 * @returns {Promise<{match: Match, seat: number, seatToken: string}>} */
export const createRematch = (place, proof) => change(":rematch", place, proof);

/** @param {Place} place @param {number} atSeq @returns {Promise<Match>} */
export const forkMatch = async (place, atSeq) => (await change(":fork", place, { atSeq })).match;
