/** Whole matches of every game. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Change, isRefused, Matchbook, type Seat } from "matchbook";
import { MatchStatus, type View } from "matchbook/v1";
import { collect, Service } from "./service.js";

const GAMES = ["ace-exorcist", "angels-and-demons", "cresnovian-chess", "ludus-magus"];

let service: Service;
let client: Matchbook;
before(async () => {
  service = await Service.start();
  client = new Matchbook({ url: service.url });
});
after(async () => {
  client.close();
  await service.kill();
});

for (const gameId of GAMES) {
  test(`one program plays both seats of ${gameId}`, async () => {
    const match = await client.createMatch(gameId);
    const seats = [await match.claim(0, "Ann"), await match.claim(1, "Ben")];
    let view = await match.view();
    const changes: Change[] = [];
    while (view.status === MatchStatus.RUNNING) {
      const seat = seats[view.toAct[0] ?? 0];
      assert(seat);
      const moves = await seat.legalMoves({ limit: 200 });
      const listed = moves.moves[(view.seq * 7919) % moves.moves.length];
      assert(listed);
      const change = await seat.play(moves.unlistedFamilies.length > 0 ? await seat.suggest() : listed);
      changes.push(change);
      view = change.view;
    }
    assert.equal(changes.at(-1)?.isOver, true);
    const events = await collect(match.watch({ afterSeq: 0 }));
    assert.deepEqual(
      events.map(({ seq }) => seq),
      [...events.keys()].map((index) => index + 1),
    );
    const made = events.filter(({ kind }) => kind === "moveMade" || kind === "moveSealed");
    assert.equal(made.length, changes.length);
    assert.deepEqual(events.at(-1)?.result, view.result);
    const late = seats[0]?.play("1,1") ?? assert.fail();
    await assert.rejects(late, (error) => isRefused(error, "MATCH_OVER"));
  });

  test(`two clients play ${gameId}, each waiting for the other's moves`, async () => {
    const other = new Matchbook({ url: service.url });
    const match = await client.createMatch(gameId);
    const seats = [await match.claim(0, "Ann"), await other.match(match.matchId).claim(1, "Ben")];
    const [one, two] = await Promise.all(seats.map(playOn));
    assert(one?.result);
    assert.deepEqual(one.result, two?.result);
    other.close();
  });
}

/** Plays whenever the seat is to act, and otherwise waits for the next event. */
async function playOn(seat: Seat): Promise<View> {
  let view = await seat.view();
  const watch = seat.watch({ afterSeq: view.seq, views: true });
  const events = watch[Symbol.asyncIterator]();
  const isToAct = () => view.toAct.includes(seat.seat ?? -1);
  while (view.status !== MatchStatus.OVER) {
    if (isToAct()) {
      view = (await seat.play(await seat.suggest("random", { seed: view.seq }))).view;
    } else {
      const { value: event } = await events.next();
      assert(event?.view);
      if (event.seq > view.seq) view = event.view;
    }
  }
  await events.return();
  return view;
}

test("a move is built by answers", async () => {
  const match = await client.createMatch("ludus-magus");
  const light = await match.claim(0, "Ann");
  await match.claim(1, "Ben");
  const answers = ["b1", "b2"];
  const asked: string[] = [];
  const built = await light.build(({ prompt }) => {
    asked.push(prompt);
    return answers[asked.length - 1] ?? "";
  });
  assert.equal(built.notation, "b1-b2");
  assert.equal(asked.length, 2);
  assert.equal((await light.play(built)).events[0]?.notation, "b1-b2");
});
