// The services' public keys that this person trusts, kept in this browser like the command's known_keys.

import { keep, load } from "../storage/storage.js";

const ENTRY = "matchbook.known_keys";

/** Returns the trusted keys, one per line. */
export const pinnedKeys = () => load(ENTRY) ?? "";

/** Trusts a key from now on. @param {string} key */
export const pin = (key) => {
  const keys = pinnedKeys().split("\n").filter((line) => line !== "" && line !== key);
  keep(ENTRY, [...keys, key].join("\n"));
};

/** Trusts a key no more. @param {string} key */
export const unpin = (key) => {
  const keys = pinnedKeys().split("\n").filter((line) => line !== "" && line !== key);
  keep(ENTRY, keys.join("\n"));
};

/** Returns whether a key is trusted. @param {string} key */
export const isPinned = (key) => pinnedKeys().split("\n").includes(key);
