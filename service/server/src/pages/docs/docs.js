"use strict";
// Draws /openapi.json as a page. Everything goes in as text nodes, never as HTML.

const el = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

// `code` in backquotes, paragraphs, and lists of lines that begin with "- ".
const words = (line) =>
  line.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : document.createTextNode(part)));
const prose = (text) =>
  (text || "").split("\n\n").filter(Boolean).map((paragraph) => {
    if (!paragraph.startsWith("- ")) return el("p", {}, ...words(paragraph));
    return el(
      "ul",
      {},
      ...paragraph.split("\n").map((line) => el("li", {}, ...words(line.replace(/^- /, "")))),
    );
  });

let api;
const named = (ref) => ref.split("/").pop();
const resolved = (part) =>
  part && part.$ref
    ? { ...part.$ref.slice(2).split("/").reduce((at, key) => at[key], api), ref: part.$ref }
    : part;

const kind = (schema) => {
  if (schema.$ref) return named(schema.$ref);
  if (schema.type === "array") return `list of ${kind(schema.items || {})}`;
  if (schema.additionalProperties && schema.additionalProperties !== true) {
    return `map to ${kind(schema.additionalProperties)}`;
  }
  if (schema.oneOf && !schema.type) return "number";
  return [schema.type || "anything", schema.format, schema.contentEncoding].filter(Boolean).join(", ");
};

// A schema's fields; those of other messages open on demand, since messages can hold themselves.
const fields = (schema) => {
  const whole = resolved(schema);
  if (whole.type === "array") return fields(whole.items);
  const list = el("ul", { class: "fields" });
  for (const [name, field] of Object.entries(whole.properties || {})) {
    const inner = resolved(field.type === "array" ? field.items : field);
    const always = (whole.required || []).includes(name) ? "" : " (may be absent)";
    const head = [el("code", {}, name), " ", el("span", { class: "note" }, kind(field) + always)];
    const text = prose(field.description);
    if (inner.properties || inner.enum) {
      const more = el("details", {}, el("summary", {}, ...head));
      more.addEventListener("toggle", () => {
        if (more.childElementCount === 1)
          more.append(...(inner.properties ? [fields(inner)] : prose(inner.description)));
      });
      list.append(el("li", {}, more, ...text));
    } else list.append(el("li", {}, ...head, ...text));
  }
  return list;
};

const sample = (content) => {
  if (content.example === undefined) return null;
  const text =
    typeof content.example === "string" ? content.example : JSON.stringify(content.example, null, 2);
  return el("details", {}, el("summary", {}, "Example"), el("pre", {}, text));
};

const contents = (content) =>
  Object.entries(content || {}).flatMap(([type, body]) => {
    const schema = body.schema?.contentSchema || body.schema || {};
    const title = el(
      "p",
      { class: "note" },
      type,
      body.schema?.contentSchema ? ", each message: " : ": ",
      kind(schema),
    );
    return [title, resolved(schema).properties ? fields(schema) : null, sample(body)];
  });

// The commands for curl and grpcurl, with this service's address.
const commands = (samples) =>
  (samples || []).map(({ label, source }) => {
    const text = source
      .replaceAll("http://127.0.0.1:7420", location.origin)
      .replaceAll("127.0.0.1:7420", location.host);
    return el("details", {}, el("summary", {}, label), el("pre", {}, text));
  });

// Which credentials a call needs or takes: an alternative without any makes them optional.
const needed = (security) => {
  if (security === undefined || security.length === 0) return "Needs no credentials";
  const names = { seatToken: "a seat's token", apiKey: "an API key" };
  const schemes = [...new Set(security.flatMap((alternative) => Object.keys(alternative)))];
  const optional = security.some((alternative) => Object.keys(alternative).length === 0);
  const single = schemes.filter((scheme) =>
    security.some((one) => scheme in one && Object.keys(one).length === 1),
  );
  const credentials = single.map((scheme) => names[scheme]).join(" or ");
  return optional ? `Takes ${credentials}, if there is one` : `Needs ${credentials}`;
};

// How much of a response is shown: a watch never ends.
const MAX_SHOWN = 64 * 1024;

const field = (name, hint, attributes = {}) => {
  const input = el("input", { autocomplete: "off", spellcheck: "false", ...attributes });
  return { input, label: el("label", {}, el("code", {}, name), hint, input) };
};

// The credentials that a call takes, as fields whose values this page alone has.
const credentials = (security) => {
  const schemes = [...new Set((security ?? []).flatMap((alternative) => Object.keys(alternative)))];
  return schemes.map((scheme) => {
    const { name } = api.components.securitySchemes[scheme];
    const made = field(name ?? "Authorization", name ? "" : " (an API key)", { type: "password" });
    const header = (value) => (name ? [name, value] : ["Authorization", `Bearer ${value}`]);
    return { ...made, header };
  });
};

// Returns the URL and the headers of a call from the fields of its form. Empty ones are left out.
const address = (path, fields) => {
  const [query, headers] = [new URLSearchParams(), {}];
  for (const { name, in: place, input } of fields) {
    const value = input.value.trim();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "" && place === "query") query.append(name, value);
    else if (value !== "") headers[name] = value;
  }
  return [query.size ? `${path}?${query}` : path, headers];
};

const show = async (response, output) => {
  output.textContent = `HTTP ${response.status}\n\n`;
  const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
  for (let size = 0; size < MAX_SHOWN; ) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.length;
    output.append(decoder.decode(value, { stream: true }));
  }
  await reader.cancel();
  output.append(`\n... only the first ${MAX_SHOWN / 1024} KiB are shown`);
};

// A form that makes the call against this service.
const tryIt = (path, method, one) => {
  const fields = (one.parameters ?? []).map((raw) => {
    const parameter = resolved(raw);
    return { ...parameter, ...field(parameter.name, "", parameter.required ? { required: "" } : {}) };
  });
  const secrets = credentials(one.security);
  // A body is one message, or lines of them.
  const [type, json] = Object.entries(one.requestBody?.content ?? {})[0] ?? [];
  const body = json ? el("textarea", { rows: "8", spellcheck: "false", "aria-label": "Body" }) : null;
  const example = json?.example ?? {};
  if (body) body.value = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  const [send, stop] = [el("button", {}, "Send"), el("button", { type: "button", disabled: "" }, "Stop")];
  const output = el("pre", { "aria-live": "polite" });
  const labels = [...fields, ...secrets].map(({ label }) => label);
  const form = el("form", {}, ...labels, body, el("p", {}, send, " ", stop), output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [url, headers] = address(path, fields);
    for (const { input, header } of secrets) {
      if (input.value.trim() !== "") headers[header("")[0]] = header(input.value.trim())[1];
    }
    if (body) headers["content-type"] = type;
    const control = new AbortController();
    stop.onclick = () => control.abort();
    [send.disabled, stop.disabled] = [true, false];
    try {
      await show(await fetch(url, { method, headers, body: body?.value, signal: control.signal }), output);
    } catch (error) {
      output.append(control.signal.aborted ? "\n... stopped" : `The call failed: ${error.message}`);
    }
    [send.disabled, stop.disabled] = [false, true];
  });
  return el("details", { class: "try" }, el("summary", {}, "Try it"), form);
};

const parameters = (list) => {
  if (!list?.length) return [];
  const rows = list.map((one) =>
    el(
      "tr",
      {},
      el("td", {}, el("code", {}, one.name)),
      el("td", {}, one.in + (one.required ? ", required" : "")),
      el("td", {}, kind(one.schema)),
      el("td", {}, ...prose(one.description)),
    ),
  );
  const head = el("tr", {}, ...["name", "in", "type", "meaning"].map((text) => el("th", {}, text)));
  return [el("h4", {}, "Parameters"), el("table", {}, head, ...rows)];
};

const operation = (path, method, one) => {
  const section = el("section", { id: one.operationId });
  const badge = el("span", { class: `method ${method}` }, method.toUpperCase());
  section.append(el("h3", {}, badge, el("a", { href: `#${one.operationId}` }, path)));
  section.append(el("p", { class: "needs" }, needed(one.security)), ...prose(one.description));
  section.append(...parameters(one.parameters));
  if (one.requestBody)
    section.append(el("h4", {}, "Body"), ...contents(one.requestBody.content).filter(Boolean));
  section.append(el("h4", {}, "Answers"));
  const errors = [];
  for (const [status, answer] of Object.entries(one.responses)) {
    const whole = resolved(answer);
    const head = [el("code", {}, status), " ", ...words(whole.description || "")];
    if (status >= "400") errors.push([status, el("p", {}, ...head)]);
    else if (whole.content)
      section.append(
        el("details", {}, el("summary", {}, ...head), ...contents(whole.content).filter(Boolean)),
      );
    else section.append(el("p", {}, ...head));
  }
  // All errors have one form.
  const list = errors.map(([status]) => status).join(", ");
  if (errors.length)
    section.append(
      el(
        "details",
        {},
        el("summary", {}, `Errors: ${list}`),
        ...errors.map(([, text]) => text),
        fields({ $ref: "#/components/schemas/Error" }),
      ),
    );
  section.append(...commands(one["x-codeSamples"]), tryIt(path, method.toUpperCase(), one));
  return section;
};

// The reasons of failed calls, from the comments of their enum.
const errors = () => {
  const lines = (api.components.schemas.ErrorReason.description || "").split("\n");
  const found = lines
    .map((line) => /^- `ERROR_REASON_(\w+)`: (.*)$/.exec(line))
    .filter((match) => match && match[1] !== "UNSPECIFIED");
  const rows = found.map(([, reason, text]) =>
    el("tr", { id: reason }, el("td", {}, el("code", {}, reason)), el("td", {}, ...words(text))),
  );
  const head = el("tr", {}, el("th", {}, "reason"), el("th", {}, "when"));
  const scroll = el(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Reasons" },
    el("table", {}, head, ...rows),
  );
  return [
    el("h2", { id: "errors" }, "Errors"),
    el("p", {}, "A failed call has one of these reasons."),
    scroll,
  ];
};

const draw = () => {
  const page = document.getElementById("page");
  const menu = document.getElementById("contents");
  state.remove();
  page.append(
    ...prose(api.info.description),
    el(
      "p",
      { class: "note" },
      `Version ${api.info.version}. `,
      el("a", { href: "/openapi.json" }, "openapi.json"),
    ),
  );
  for (const tag of api.tags) {
    page.append(el("h2", {}, tag.name), ...prose(tag.description));
    menu.append(el("h2", {}, tag.name));
    const all = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => [path, method, one]),
    );
    const of = all.filter(([, , one]) => one.tags?.includes(tag.name));
    of.sort(([, , one], [, , other]) => (one["x-position"] ?? 0) - (other["x-position"] ?? 0));
    for (const [path, method, one] of of) {
      page.append(operation(path, method, one));
      menu.append(el("a", { href: `#${one.operationId}` }, one.operationId));
    }
  }
  page.append(...errors());
  menu.append(el("h2", {}, "Errors"), el("a", { href: "#errors" }, "Reasons"));
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
};

// The rules of the games are pages beside this one.
const drawRules = async () => {
  const answer = await fetch("/v1/games");
  if (!answer.ok) return;
  const { games } = await answer.json();
  const links = games.map((game) => el("a", { href: `/games/${game.gameId}` }, game.title));
  document.getElementById("contents").append(el("h2", {}, "Rules"), ...links);
};

const state = document.getElementById("state");
state.textContent = "Reading /openapi.json ...";
fetch("/openapi.json")
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`HTTP ${answer.status}`))))
  .then((read) => { api = read; draw(); return drawRules(); })
  .catch((error) => { state.textContent = `/openapi.json can't be shown: ${error.message}`; });
