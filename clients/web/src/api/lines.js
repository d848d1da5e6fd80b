// The lines of a response as they arrive.

import { unreachable } from "./refusal.js";

/** No line of the service is longer, in characters: a view has some tens of thousands. */
const MAX_LINE = 8_000_000;

/** Yields the lines that are not empty, those that arrived together at once: what happened together is shown
 * together. A last one without an end was cut off, and is left out. Throws a Refusal if a line does not end.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body */
export async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  /** What has arrived of a line. @type {string[]} */
  let pieces = [];
  let length = 0;
  try {
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      const [end, ...others] = (value ?? "").split("\n");
      pieces.push(end);
      length += end.length;
      if (length > MAX_LINE) throw unreachable();
      const last = others.pop();
      if (last === undefined) continue;
      yield [pieces.join(""), ...others].filter(Boolean);
      [pieces, length] = [[last], last.length];
    }
  } finally {
    // A reader that stops before the end must not leave the response open.
    reader.cancel().catch(() => {});
  }
}
