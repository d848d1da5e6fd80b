/** A match of Angels and Demons against the service's own bot, at the service that `?url=` names. */

import { Matchbook, type Seat } from "matchbook";

const client = new Matchbook({ url: new URLSearchParams(location.search).get("url") ?? location.origin });
const match = await client.createMatch("angels-and-demons", { options: { rows: 4, cols: 4, turns: 3 } });
const angels = await match.claim(0, "You");
const demons = await match.claim(1, "Bot");
await Promise.all([show(angels), answer(demons)]);

/** Plays a seat as the service suggests, whenever it is to act. */
async function answer(seat: Seat): Promise<void> {
  for await (const _ of seat.watch({ afterSeq: 0 })) {
    const { toAct } = await seat.view();
    if (toAct.includes(1)) await seat.play(await seat.suggest("greedy"));
  }
}

/** Shows what happens, and a button for each legal move. */
async function show(seat: Seat): Promise<void> {
  for await (const event of seat.watch({ afterSeq: 0 })) {
    element("events").append(item(`${event.kind ?? "something new"} ${event.notation ?? ""}`));
    const moves = event.result ? [] : await seat.legalMoves();
    element("moves").replaceChildren(
      ...[...moves].map((move) => button(move.notation, () => seat.play(move))),
    );
    element("status").textContent = event.result ? `Over: ${event.result.reason}` : "Choose a space";
  }
}

function button(label: string, act: () => Promise<unknown>): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = label;
  made.onclick = () => act().catch((error: Error) => (element("status").textContent = error.message));
  return made;
}

function item(text: string): HTMLLIElement {
  const made = document.createElement("li");
  made.textContent = text;
  return made;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}
