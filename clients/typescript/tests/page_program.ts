/** What a page of the Chromium tests can do: the functions that tests call in it. */

import { isRefused, Matchbook, type Seat, Unreachable } from "matchbook";
import { MatchStatus } from "matchbook/v1";

/** The functions, which the page keeps in a global variable. */
export interface PageProgram {
  playBothSeats(url: string, gameId: string): Promise<{ seqs: number[]; reason: string | undefined }>;
  watch(url: string, matchId: string): Promise<void>;
  seen(): number[];
  refusal(url: string): Promise<Record<string, unknown>>;
  abort(url: string, matchId: string): Promise<string>;
  unreachable(url: string): Promise<boolean>;
  streamOfMoves(url: string): string;
}

const seen: number[] = [];

const program: PageProgram = {
  async playBothSeats(url, gameId) {
    const client = new Matchbook({ url });
    const match = await client.createMatch(gameId);
    const seats: Seat[] = [await match.claim(0, "Ann"), await match.claim(1, "Ben")];
    let view = await match.view();
    while (view.status === MatchStatus.RUNNING) {
      const seat = seats[view.toAct[0] ?? 0] as Seat;
      view = (await seat.play(await seat.suggest())).view;
    }
    const seqs: number[] = [];
    for await (const { seq } of match.watch({ afterSeq: 0 })) seqs.push(seq);
    return { seqs, reason: view.result?.reason };
  },
  async watch(url, matchId) {
    const client = new Matchbook({ url, retry: { attempts: 1000, initialDelayMs: 20, maxDelayMs: 200 } });
    for await (const { seq } of client.match(matchId).watch({ afterSeq: 0 })) seen.push(seq);
  },
  seen: () => seen,
  async refusal(url) {
    const match = await new Matchbook({ url }).createMatch("ludus-magus");
    const seat = await match.claim(0, "Ann");
    await match.claim(1, "Ben");
    const error = await seat.play("a1-h8").catch((error: unknown) => error);
    if (!isRefused(error)) throw error;
    return { reason: error.reason, paragraph: error.paragraph, hasCallId: error.callId !== "" };
  },
  async abort(url, matchId) {
    const abort = new AbortController();
    const watch = new Matchbook({ url }).match(matchId).watch({ afterSeq: 0, signal: abort.signal });
    try {
      for await (const { seq } of watch) if (seq === 1) abort.abort();
    } catch (error) {
      return (error as Error).name;
    }
    return "nothing was thrown";
  },
  streamOfMoves(url) {
    try {
      new Matchbook({ url }).calls.submitMoves([]);
    } catch (error) {
      return String(error);
    }
    return "nothing was thrown";
  },
  async unreachable(url) {
    const client = new Matchbook({ url, retry: { attempts: 2, initialDelayMs: 1 } });
    return client.game("ludus-magus").then(
      () => false,
      (error: unknown) => error instanceof Unreachable,
    );
  },
};

Object.assign(globalThis, { program });
