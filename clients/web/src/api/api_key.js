// The API key of this browser, for services that create matches for the holders of keys alone. It is in this
// browser's storage and in a header of each call, never in a URL.

const ENTRY = "matchbook.api_key";

/** Returns the key; empty if there is none. */
export const apiKey = () => localStorage.getItem(ENTRY) ?? "";

/** @param {string} key */
export const keepApiKey = (key) => localStorage.setItem(ENTRY, key);

export const forgetApiKey = () => localStorage.removeItem(ENTRY);
