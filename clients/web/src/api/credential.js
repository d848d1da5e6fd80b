// What an API key or a seat's token may consist of.

/** The form, for fields: a header holds visible characters of ASCII alone. */
export const CREDENTIAL = "[\\x21-\\x7e]{1,200}";

const FORM = new RegExp(`^${CREDENTIAL}$`);

/** Whether a header can hold a text. With another one, no call would ever be sent. @param {unknown} text */
export const isCredential = (text) => typeof text === "string" && FORM.test(text);
