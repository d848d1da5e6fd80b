/** What the compiler must accept and must refuse. It is compiled and never run. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { isRefused, type Matchbook, type OptionsOf, type Reason, type Seat } from "matchbook";
import type { EventSchema, GetViewResponse } from "matchbook/v1";

export async function accepted(client: Matchbook, seat: Seat, signal: AbortSignal): Promise<unknown> {
  const match = await client.createMatch("angels-and-demons", { options: { rows: 4 }, signal });
  const view: GetViewResponse = await seat.calls.getView({ matchId: match.matchId }, { signal });
  const event: MessageInitShape<typeof EventSchema> = { kind: { case: "moveMade", value: { seat: 0 } } };
  const reason: Reason = "ILLEGAL_MOVE";
  for await (const { message } of match.watch({ afterSeq: undefined, signal })) {
    if (message.kind.case === "moveMade") message.kind.value.notation.toUpperCase();
  }
  return [view, event, reason, await client.createMatch("a-newer-game", { labels: {} })];
}

export async function refused(client: Matchbook, seat: Seat, error: unknown): Promise<void> {
  // @ts-expect-error: the option of another game
  await client.createMatch("angels-and-demons", { options: { starting: 1 } });
  // @ts-expect-error: options of an unknown game
  await client.createMatch("a-newer-game", { options: { rows: 1 } });
  // @ts-expect-error: no such visibility
  await client.createMatch("ludus-magus", { visibility: "hidden" });
  // @ts-expect-error: no such strategy
  await seat.suggest("brilliant");
  // @ts-expect-error: no such proposal
  await seat.propose("truce");
  // @ts-expect-error: no such reason
  isRefused(error, "BORED");
  // @ts-expect-error: a match is no seat
  await (await client.createMatch("ludus-magus")).play("a1-a2");
  // @ts-expect-error: no such RPC
  await client.calls.makeCoffee({});
  // @ts-expect-error: read only
  seat.matchId = "other";
  // @ts-expect-error: the view may be absent
  (await seat.calls.getView({ matchId: "id" })).view.seq;
  const none: OptionsOf<"chess">[] = [];
  none.length = 0;
}
