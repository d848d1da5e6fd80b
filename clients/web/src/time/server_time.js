// Time: the service's clock as this page knows it, durations of the API, and times in words.

let offsetMs = 0;
let isKnown = false;

/** Learns the service's time from a frame that just arrived. @param {string} time */
export const learnServerTime = (time) => {
  const offset = Date.parse(time) - Date.now();
  // A frame can be late but never early, so the largest offset is the best one, until this machine's clock
  // jumps.
  if (!isKnown || offset > offsetMs || offsetMs - offset > 5000) offsetMs = offset;
  isKnown = true;
};

/** Returns the service's time in milliseconds since 1970. */
export const serverNowMs = () => Date.now() + offsetMs;

/** Returns a duration of the API, such as `0.25s`, in milliseconds. @param {string} text */
export const durationMs = (text) => Number.parseFloat(text) * 1000;

/** Returns what a clock shows in milliseconds. @param {import("../api/messages.js").SeatClock} clock */
export const remainingMs = (clock) =>
  clock.dueTime ? Math.max(0, Date.parse(clock.dueTime) - serverNowMs()) : durationMs(clock.remaining);

/** Returns a time left as text, with tenths in the last ten seconds. @param {number} ms */
export const clockText = (ms) => {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

/** Returns a length of time in words, with the unit that fits. @param {number} ms */
export const lengthText = (ms) => {
  const units = /** @type {[number, string][]} */ ([
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1000, "second"],
  ]);
  const [size, unit] = units.find(([size]) => ms >= size && ms % size === 0) ?? [1000, "second"];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

/** Returns how long ago a time was. @param {string} time */
export const agoText = (time) => {
  const seconds = Math.max(0, Math.round((serverNowMs() - Date.parse(time)) / 1000));
  if (seconds < 60) return "just now";
  const [size, unit] = seconds < 3600 ? [60, "min"] : seconds < 86_400 ? [3600, "h"] : [86_400, "d"];
  return `${Math.floor(seconds / Number(size))} ${unit} ago`;
};
