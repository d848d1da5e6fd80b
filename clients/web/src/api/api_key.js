// The API key of this browser, for services that create matches for the holders of keys alone. It is in this
// browser's storage and in a header of each call, never in a URL.

import { isCredential } from "./credential.js";
import { forget, keep, load } from "../storage/storage.js";

const ENTRY = "matchbook.api_key";

/** Returns the key; empty if there is none, or none that can be sent. */
export const apiKey = () => {
  const stored = load(ENTRY) ?? "";
  return isCredential(stored) ? stored : "";
};

/** @param {string} key */
export const keepApiKey = (key) => keep(ENTRY, key);

export const forgetApiKey = () => forget(ENTRY);
