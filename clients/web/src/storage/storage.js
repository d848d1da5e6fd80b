// What this browser stores for the page. Where people have turned that off, or there is no room, an entry
// lasts until the page is left.

const PROBE = "matchbook.probe";

/** Entries that the browser did not store. @type {Map<string, string>} */
const unstored = new Map();

/** Uses the browser's storage, every use of which throws where people have turned it off.
 * @template T @param {(storage: Storage) => T} use @param {T} otherwise */
const withStorage = (use, otherwise) => {
  try {
    return use(localStorage);
  } catch {
    return otherwise;
  }
};

/** Returns an entry; null if there is none. @param {string} name @returns {string | null} */
export const load = (name) => unstored.get(name) ?? withStorage((storage) => storage.getItem(name), null);

/** @param {string} name @param {string} value */
export const keep = (name, value) => {
  unstored.delete(name);
  if (!withStorage((storage) => (storage.setItem(name, value), true), false)) unstored.set(name, value);
};

/** @param {string} name */
export const forget = (name) => {
  unstored.delete(name);
  withStorage((storage) => storage.removeItem(name), undefined);
};

/** Returns the names of all entries that begin so. @param {string} prefix */
export const namesWith = (prefix) => {
  const stored = withStorage((storage) => Object.keys(storage), []);
  return [...new Set([...stored, ...unstored.keys()])].filter((name) => name.startsWith(prefix));
};

/** Whether the browser stores entries. Ask before a call whose answer must not be lost. */
export const canKeep = () =>
  withStorage((storage) => {
    storage.setItem(PROBE, "1");
    storage.removeItem(PROBE);
    return true;
  }, false);
