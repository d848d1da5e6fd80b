/** What calls return, where a message alone would be less handy. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Clocks } from "./gen/matchbook/v1/clock_pb.js";
import type { Event } from "./gen/matchbook/v1/event_pb.js";
import type { Move } from "./gen/matchbook/v1/game_pb.js";
import type { LogEvent } from "./gen/matchbook/v1/log_file_pb.js";
import { type MatchResult, MatchStatus, type View } from "./gen/matchbook/v1/match_pb.js";
import type { ListLegalMovesResponse } from "./gen/matchbook/v1/moves_pb.js";
import type { WatchMatchResponse } from "./gen/matchbook/v1/watching_pb.js";
import { hex } from "./random.js";

/** An event of a match, as this caller may see it. */
export class MatchEvent {
  /** The message. Its `kind` is a union to switch over: `event.message.kind.case`. */
  readonly message: Event;
  /** The position after the event; only in a watch with views. */
  readonly view: View | undefined;
  /** The clocks after the event; only in a watch of a match that has clocks and is in play. */
  readonly clocks: Clocks | undefined;
  /** The service's time when it sent the event; only in a watch. */
  readonly serverTime: Date | undefined;

  /** @internal */
  constructor(message: Event, frame?: WatchMatchResponse) {
    this.message = message;
    this.view = frame?.view;
    this.clocks = frame?.clocks;
    this.serverTime = frame?.serverTime && timestampDate(frame.serverTime);
  }

  /** The event's 1-based position in the match's log. */
  get seq(): number {
    return this.message.seq;
  }

  /** The event's hash in the match's hash chain. */
  get hash(): Uint8Array {
    return this.message.hash;
  }

  /** The receipt, `HASH@SEQ`, with which a verifier proves that the log still has the event. */
  get receipt(): string {
    return `${hex(this.hash)}@${this.seq}`;
  }

  /** The kind, such as `moveMade`; `undefined` for a kind that is newer than this package. */
  get kind(): Event["kind"]["case"] {
    return this.message.kind.case;
  }

  /** When the service recorded the event. */
  get time(): Date | undefined {
    return this.message.recordTime && timestampDate(this.message.recordTime);
  }

  /** The seat that acted, where the event names one. */
  get seat(): number | undefined {
    const body = this.message.kind.value;
    return body && "seat" in body ? body.seat : undefined;
  }

  /** The move in the game's notation; `undefined` if there is none, or if it is hidden. */
  get notation(): string | undefined {
    const body = this.message.kind.value;
    return (body && "notation" in body && body.notation) || undefined;
  }

  /** How the match ended, if this event ended it. */
  get result(): MatchResult | undefined {
    return this.message.kind.case === "matchEnded" ? this.message.kind.value.result : undefined;
  }
}

/** What a call changed in a match. It is committed. */
export class Change {
  /** The event of the call, and the events that followed from it. */
  readonly events: readonly MatchEvent[];
  /** The position after these events, as the caller may see it. */
  readonly view: View;

  /** @internal */
  constructor({ events, view }: { events: Event[]; view?: View | undefined }) {
    this.events = events.map((event) => new MatchEvent(event));
    this.view = present(view, "view");
  }

  /** The receipt of the call's event, `HASH@SEQ`. */
  get receipt(): string {
    return present(this.events[0], "events").receipt;
  }

  /** Whether the match is over. */
  get isOver(): boolean {
    return this.view.status === MatchStatus.OVER;
  }

  /** How the match ended; `undefined` until then. */
  get result(): MatchResult | undefined {
    return this.view.result;
  }
}

/** A move that is legal at one position. */
export interface LegalMove {
  /** The move in the game's notation. */
  readonly notation: string;
  /** The move as a message. */
  readonly move: Move;
  /** Seq of the position. */
  readonly seq: number;
}

/** The legal moves of a seat at one position, in the game's fixed order. */
export class LegalMoves implements Iterable<LegalMove> {
  /** The moves. */
  readonly moves: readonly LegalMove[];
  /** Seq of the position. */
  readonly seq: number;
  /** The seat that the moves belong to. */
  readonly seat: number | undefined;
  /** Whether every legal move is listed. */
  readonly isComplete: boolean;
  /** Families of moves that are too large to list: use `seat.suggest` or `seat.build`. */
  readonly unlistedFamilies: readonly string[];

  /** @internal */
  constructor(moves: readonly LegalMove[], last: ListLegalMovesResponse) {
    this.moves = moves;
    this.seq = last.seq;
    this.seat = last.seat;
    this.isComplete = !last.nextPageToken && last.unlistedFamilies.length === 0;
    this.unlistedFamilies = last.unlistedFamilies;
  }

  /** The moves in the game's notation. */
  get notations(): string[] {
    return this.moves.map((move) => move.notation);
  }

  [Symbol.iterator](): Iterator<LegalMove> {
    return this.moves[Symbol.iterator]();
  }
}

/** An event in the feed of all matches. */
export interface FeedEvent {
  readonly matchId: string;
  /** The event as in an exported log. */
  readonly event: LogEvent;
  /** The position after it, to continue from later. */
  readonly cursor: string;
}

/** Returns what every response of the service has; a response without it breaks the protocol. */
export function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new TypeError(`the service sent a response without ${name}`);
  return value;
}
