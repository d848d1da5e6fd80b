// Plays a match of Angels and Demons through openapi-fetch, typed by openapi-typescript.
// Usage: node play.js http://HOST:PORT

import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./matchbook.js";

declare const process: { argv: string[] };

type Matches = Client<paths>;
type View = components["schemas"]["View"];

const GAME = "angels-and-demons";
const TURNS = 3;

function check(holds: boolean, found: unknown): asserts holds {
  if (!holds) throw new Error(`unexpected: ${JSON.stringify(found)}`);
}

function client(baseUrl: string, seatToken?: string): Matches {
  const headers: Record<string, string> = seatToken ? { "matchbook-seat-token": seatToken } : {};
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(30_000) });
  return createClient<paths>({ baseUrl, headers, fetch: fetchInTime });
}

async function create(matches: Matches): Promise<string> {
  const options = { angelsAndDemons: { rows: 4, cols: 4, turns: TURNS } };
  const { data, error } = await matches.POST("/v1/matches", { body: { gameId: GAME, options } });
  if (!data) throw new Error(error.error.message);
  return data.match.matchId;
}

async function claim(matches: Matches, matchId: string, seat: number, displayName: string) {
  const { data, error } = await matches.POST("/v1/matches/{matchId}/seats/{seat}:claim", {
    params: { path: { matchId, seat } },
    body: { player: { displayName }, requestId: crypto.randomUUID() },
  });
  if (!data) throw new Error(error.error.message);
  return data.seatToken;
}

async function move(matches: Matches, matchId: string, choice: number): Promise<View> {
  const path = { matchId };
  const legal = await matches.GET("/v1/matches/{matchId}/legalMoves", { params: { path } });
  if (!legal.data) throw new Error(legal.error.error.message);
  const chosen = legal.data.moves[choice % legal.data.moves.length]?.move;
  check(chosen?.angelsAndDemons !== undefined, legal.data);
  const { data, error } = await matches.POST("/v1/matches/{matchId}/moves", {
    params: { path },
    body: { move: chosen, requestId: crypto.randomUUID() },
  });
  if (!data) throw new Error(error.error.message);
  check(data.view !== undefined, data);
  return data.view;
}

async function checkRefusal(matches: Matches, matchId: string) {
  const params = { path: { matchId } };
  const { error, response } = await matches.POST("/v1/matches/{matchId}:resign", { params, body: {} });
  check(response.status === 409 && error?.error.reason === "MATCH_OVER", error);
}

async function main(server: string) {
  const spectator = client(server);
  const games = (await spectator.GET("/v1/games")).data?.games ?? [];
  check(games.some((one) => one.gameId === GAME), games);
  const matchId = await create(spectator);
  const players: Matches[] = [];
  for (const seat of [0, 1]) {
    const token = await claim(spectator, matchId, seat, `Player ${seat}`);
    players.push(client(server, token));
  }
  let view: View | undefined;
  for (let turn = 0; turn < TURNS; turn++)
    for (const [seat, player] of players.entries()) view = await move(player, matchId, 2 * turn + 5 * seat);
  check(view?.status === "MATCH_STATUS_OVER" && view.result !== undefined, view);
  const path = { matchId };
  const query = { "viewer.kind": "KIND_OPEN" } as const;
  const shown = await spectator.GET("/v1/matches/{matchId}/view", { params: { path, query } });
  check(shown.data?.view.gameView?.angelsAndDemons !== undefined, shown.data);
  const { data } = await spectator.GET("/v1/matches/{matchId}/events", { params: { path } });
  check(data?.events.at(-1)?.matchEnded?.result.reason === view.result.reason, data);
  await checkRefusal(players[0]!, matchId);
  console.log(`openapi-typescript played ${matchId}: ${view.result.reason}`);
}

await main(process.argv[2]!);
