// Names in facts: values of enums and places, as a person reads them.

/** Returns an enum's value without its prefix, `SUIT_BLOOD` as `Blood`.
 * @param {string} value @param {string} prefix */
export const enumName = (value, prefix) =>
  capital(value.replace(`${prefix}_`, "").replaceAll("_", " ").toLowerCase());

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Joins words with commas and `and`. @param {string[]} words */
export const listed = (words) =>
  words.length < 2 ? (words[0] ?? "nothing") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
