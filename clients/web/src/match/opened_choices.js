// The choices of a simultaneous turn as the log opens them: each is 32 bytes of salt and the choice, and its
// SHA-256 is the commitment that was there before. docs/audit.md has the format.

/** @typedef {{seat: number, opened: Uint8Array<ArrayBuffer>}} Opened */

const SALT_BYTES = 32;

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Reads a message of fields that are numbers or bytes, as protobuf encodes it. Fields of zero are left out.
 * @param {Uint8Array<ArrayBuffer>} bytes @returns {{number: number, value: any}[]} */
const fieldsIn = (bytes) => {
  const fields = [];
  let at = 0;
  const number = () => {
    for (let value = 0, shift = 1; ; shift *= 128) {
      if (at >= bytes.length) throw new RangeError("the message ends too early");
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const length = number();
    if (tag % 8 !== 2) fields.push({ number: tag >> 3, value: length });
    else fields.push({ number: tag >> 3, value: bytes.slice(at, (at += length)) });
  }
  return fields;
};

/** Returns what an event of a log opens, and the event's hash. @param {string} log @param {number} seq */
export const openedIn = (log, seq) => {
  const records = log.split("\n").filter(Boolean).map((line) => JSON.parse(line).event);
  const event = records.find((event) => event?.seq === seq);
  if (!event) throw new RangeError(`the log has no event ${seq}`);
  const opened = fieldsIn(bytesOf(event.publicPart)).filter(({ number }) => number === 1).map(({ value }) => {
    const fields = fieldsIn(value);
    const field = (/** @type {number} */ wanted) => fields.find(({ number }) => number === wanted)?.value;
    return { seat: field(1) ?? 0, opened: field(2) ?? new Uint8Array() };
  });
  return { hash: String(event.hash), opened: /** @type {Opened[]} */ (opened) };
};

/** Returns the commitment to what was opened, as base64. @param {Opened} opened */
export const commitmentTo = async ({ opened }) => {
  const hash = await crypto.subtle.digest("SHA-256", opened);
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
};

/** Returns the choice in what was opened, in the notation of Angels and Demons. @param {Opened} opened */
export const choiceIn = ({ opened }) => {
  const fields = fieldsIn(opened.slice(SALT_BYTES));
  return fields.map(({ value }) => value).join(",");
};
