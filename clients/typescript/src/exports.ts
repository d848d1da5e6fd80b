/** Exported logs, in the JSON form of docs/audit.md. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import type { Cursor } from "./cursors.js";
import { ErrorReason } from "./gen/matchbook/v1/error_pb.js";
import type { ExportMatchesRequestSchema, ExportMatchesResponse } from "./gen/matchbook/v1/exporting_pb.js";
import type { LogEvent, LogHead, LogHeader } from "./gen/matchbook/v1/log_file_pb.js";
import type { ExportLogResponse } from "./gen/matchbook/v1/log_service_pb.js";

/** The complete log of a match, which verifies without the service. */
export interface ExportedLog {
  readonly matchId: string;
  /** The records of the file, each a line of JSON without its line feed. */
  readonly lines: readonly string[];
  /** Where an export of many matches can go on later; `undefined` in the export of one. */
  readonly pageToken?: string;
}

/** A match whose log is not in the export. */
export interface SkippedLog {
  readonly matchId: string;
  /** Why: a reason of docs/api.md. */
  readonly skipped: string;
  /** Where the export can go on later. */
  readonly pageToken: string;
}

/** Returns the line of a log's first record. */
export function headerLine(header: LogHeader): string {
  const { formatVersion, service, matchId, gameId, rulesVersion } = header;
  return JSON.stringify({ header: { formatVersion, service, matchId, gameId, rulesVersion } });
}

/** Returns the line of an event. */
export function eventLine(event: LogEvent): string {
  const { seq, recordTimeUs, kind, commitment, opened } = event;
  return JSON.stringify({
    event: {
      seq,
      recordTimeUs: String(recordTimeUs),
      kind,
      publicPart: base64Encode(event.publicPart),
      // JSON leaves out what is undefined.
      commitment: commitment && base64Encode(commitment),
      opened: opened && base64Encode(opened),
      hash: base64Encode(event.hash),
    },
  });
}

/** Returns the line of a log's last record. */
export function headLine({ note, publicKey }: LogHead): string {
  return JSON.stringify({ head: { note, publicKey } });
}

/** One match's log as it is received; a broken stream starts it anew. */
export class LogCursor implements Cursor<{ matchId: string }, ExportLogResponse, ExportedLog> {
  isComplete = false;
  #lines: string[] = [];

  constructor(readonly matchId: string) {}

  request(): { matchId: string } {
    this.#lines = [];
    return { matchId: this.matchId };
  }

  receive({ record }: ExportLogResponse): ExportedLog | undefined {
    if (record.case === "header") this.#lines.push(headerLine(record.value));
    if (record.case === "event") this.#lines.push(eventLine(record.value));
    if (record.case !== "head") return undefined;
    this.isComplete = true;
    return { matchId: this.matchId, lines: [...this.#lines, headLine(record.value)] };
  }

  isProgress(): boolean {
    // Each stream starts with the first record again.
    return false;
  }
}

type ExportRequest = MessageInitShape<typeof ExportMatchesRequestSchema>;

/** The logs of many matches as they are received. A log that a broken stream cut starts anew. */
export class LogsCursor implements Cursor<ExportRequest, ExportMatchesResponse, ExportedLog | SkippedLog> {
  isComplete = false;
  #matchId = "";
  #lines: string[] = [];
  #pageToken: string;
  readonly #filter: ExportRequest;

  constructor(filter: ExportRequest, pageToken: string) {
    this.#filter = filter;
    this.#pageToken = pageToken;
  }

  request(): ExportRequest {
    return { ...this.#filter, pageToken: this.#pageToken };
  }

  receive({ frame, nextPageToken }: ExportMatchesResponse): ExportedLog | SkippedLog | undefined {
    this.#pageToken = nextPageToken || this.#pageToken;
    if (frame.case === "header") {
      this.#matchId = frame.value.matchId;
      this.#lines = [headerLine(frame.value)];
    }
    if (frame.case === "event") this.#lines.push(eventLine(frame.value));
    if (frame.case === "end") this.isComplete = true;
    if (frame.case === "skipped") {
      const { matchId, reason } = frame.value;
      return { matchId, skipped: ErrorReason[reason] ?? "UNKNOWN", pageToken: this.#pageToken };
    }
    if (frame.case !== "head") return undefined;
    const lines = [...this.#lines, headLine(frame.value)];
    return { matchId: this.#matchId, lines, pageToken: this.#pageToken };
  }

  isProgress({ nextPageToken }: ExportMatchesResponse): boolean {
    return nextPageToken !== "";
  }
}
