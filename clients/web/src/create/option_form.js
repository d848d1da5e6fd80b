// Fields for a game's options, made from the catalog's descriptions alone.

import { html, nothing } from "../../vendor/lit.js";

/** @typedef {import("../api/messages.js").OptionSpec} OptionSpec */

/** Returns the field of an option. @param {OptionSpec} option */
export const optionField = (option) => {
  const id = `option-${option.name}`;
  const control = controlOf(option, id);
  if (control === nothing) return nothing;
  return html`<div class="field">
    <label for=${id}>${option.title}</label>
    ${control}
    <small id="${id}-help">${option.description}${rangeText(option)}</small>
  </div>`;
};

/** @param {OptionSpec} option */
const rangeText = ({ integer, structured, text }) => {
  if (integer) return ` ${integer.minValue} to ${integer.maxValue}; default ${integer.defaultValue}.`;
  if (structured) {
    return ` As JSON${structured.isList ? ", a list" : ""}; default ${structured.defaultValue}.`;
  }
  return text ? ` At most ${text.maxChars} characters.` : "";
};

/** @param {OptionSpec} option @param {string} id */
const controlOf = ({ name, integer, boolean, enumeration, text, structured }, id) => {
  const help = `${id}-help`;
  if (integer) {
    return html`<input id=${id} name=${name} type="number" min=${integer.minValue} max=${integer.maxValue}
      placeholder=${integer.defaultValue} aria-describedby=${help} />`;
  }
  if (boolean) {
    return html`<input id=${id} name=${name} type="checkbox" .checked=${boolean.defaultValue}
      aria-describedby=${help} />`;
  }
  if (enumeration) {
    return html`<select id=${id} name=${name} aria-describedby=${help}>
      ${enumeration.values.map((value) => html`<option value=${value.name}
        ?selected=${value.name === enumeration.defaultValue}>${value.description}</option>`)}
    </select>`;
  }
  if (text) {
    return html`<input id=${id} name=${name} maxlength=${text.maxChars} .value=${text.defaultValue}
      aria-describedby=${help} />`;
  }
  if (structured) {
    return html`<textarea id=${id} name=${name} rows="3" spellcheck="false"
      aria-describedby=${help}></textarea>`;
  }
  return nothing;
};

/** Returns the options that a form has, without those left empty. Throws if one is not JSON.
 * @param {OptionSpec[]} specs @param {FormData} form @returns {Record<string, unknown>} */
export const optionsIn = (specs, form) => {
  const values = specs.flatMap(({ name, title, integer, boolean, structured }) => {
    const value = String(form.get(name) ?? "").trim();
    if (boolean) return [[name, form.has(name)]];
    if (value === "") return [];
    if (integer) return [[name, Number(value)]];
    return [[name, structured ? parse(value, title) : value]];
  });
  return Object.fromEntries(values);
};

/** @param {string} text @param {string} title */
const parse = (text, title) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`${title} is not JSON`);
  }
};
