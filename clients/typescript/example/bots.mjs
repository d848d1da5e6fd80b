/**
 * Measures how many moves a second bots make in one match, and in many at once.
 *
 *     node example/bots.mjs http://127.0.0.1:7420 32 10
 *
 * The bots play both seats of Angels and Demons, where every black space is always legal, so they call the
 * service for moves only. Each match is a loop that waits for one answer before it sends the next move.
 */

import { Matchbook } from "matchbook";

const [url = "http://127.0.0.1:7420", matches = "32", seconds = "10"] = process.argv.slice(2);
// The game's maximum of turns, so that no match ends early.
const options = { rows: 8, cols: 8, turns: 1000 };

async function create(client) {
  const match = await client.createMatch("angels-and-demons", { options, visibility: "unlisted" });
  return [await match.claim(0, "Ann"), await match.claim(1, "Ben")];
}

/** Plays a match until a time, at most to its end; returns the number of moves. */
async function play(seats, until) {
  let moves = 0;
  for (let turn = 0; turn < options.turns && performance.now() < until; turn += 1) {
    const row = 1 + (turn % options.rows);
    for (const seat of seats) {
      await seat.play(`${row},${row}`);
      moves += 1;
    }
  }
  return moves;
}

async function measure(count) {
  const client = new Matchbook({ url });
  const pairs = await Promise.all(Array.from({ length: count }, () => create(client)));
  const began = performance.now();
  const until = began + 1000 * Number(seconds);
  const counts = await Promise.all(pairs.map((seats) => play(seats, until)));
  const taken = (performance.now() - began) / 1000;
  client.close();
  return counts.reduce((sum, moves) => sum + moves) / taken;
}

console.log(`1 match: ${(await measure(1)).toFixed(0)} moves/s`);
console.log(`${matches} matches: ${(await measure(Number(matches))).toFixed(0)} moves/s`);
