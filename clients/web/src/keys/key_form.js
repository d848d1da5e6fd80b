// <key-form>: the place for an API key, and the one to remove it.

import { html } from "../../vendor/lit.js";
import { apiKey, forgetApiKey, keepApiKey } from "../api/api_key.js";
import { CREDENTIAL } from "../api/credential.js";
import { Part } from "../page/part.js";

class KeyForm extends Part {
  static properties = { isOpen: { state: true } };

  constructor() {
    super();
    this.isOpen = false;
  }

  /** @param {SubmitEvent} event */
  keep(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    keepApiKey(String(new FormData(form).get("key")).trim());
    form.reset();
    this.changed();
  }

  forget() {
    forgetApiKey();
    this.changed();
  }

  changed() {
    this.requestUpdate();
    this.tell("keychange");
  }

  render() {
    return html`<details class="key">
      <summary>API key${apiKey() ? ": kept in this browser" : ""}</summary>
      <p>A service with API keys creates matches for their holders alone, and shows them their private
        ones. The key stays in this browser's storage; anyone who uses this browser can use it.</p>
      ${apiKey() ? this.kept() : this.form()}
    </details>`;
  }

  kept() {
    return html`<p class="buttons"><button type="button" @click=${this.forget}>Remove the key</button></p>`;
  }

  form() {
    return html`<form class="row" @submit=${this.keep}>
      <label>Key <input name="key" type="password" required maxlength="200" pattern=${CREDENTIAL}
        autocomplete="off" /></label>
      <button type="submit">Keep it</button>
    </form>`;
  }
}

customElements.define("key-form", KeyForm);
