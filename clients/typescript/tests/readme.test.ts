/** The programs of the README, of docs/clients.md and of the example run. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PACKAGE } from "./pages.js";
import { newFolder, Service } from "./service.js";

/** Runs the blocks of a page as one program, with texts of it replaced; returns the lines that it prints. */
async function run(context: TestContext, page: string, name: string, changes: Record<string, string>) {
  const service = await Service.start();
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
  assert(blocks.length >= 5);
  let source = blocks.join("\n").replaceAll("http://127.0.0.1:7420", service.url);
  for (const [text, replacement] of Object.entries(changes)) source = source.replaceAll(text, replacement);
  const program = `${PACKAGE}build/tests/${name}.mjs`;
  writeFileSync(program, source);
  const log = context.mock.method(console, "log", () => undefined);
  try {
    await import(program);
  } finally {
    log.mock.restore();
    await service.kill();
  }
  return log.mock.calls.map(({ arguments: values }) => values.join(" "));
}

test("the blocks of the README are one program that runs", async (context) => {
  const printed = await run(context, `${PACKAGE}README.md`, "readme_program", {});
  assert(printed.includes("1 matchCreated "), printed.join("\n"));
  assert(
    printed.includes("0 made with event 5") && printed.includes("1 made with event 5"),
    printed.join("\n"),
  );
  assert(printed.includes("too late") && printed.includes("AbortError"), printed.join("\n"));
});

test("the steps of docs/clients.md run and save a log", async (context) => {
  const file = join(newFolder(), "match.jsonl");
  const page = `${PACKAGE}../../docs/clients.md`;
  const printed = await run(context, page, "clients_page_program", { "match.jsonl": file });
  for (const wanted of ["ludus-magus", "b1-c2", "3 seatClaimed", "7 matchEnded"]) {
    assert(printed.includes(wanted), printed.join("\n"));
  }
  assert(
    printed.some((line) => /^ILLEGAL_MOVE .* LM-6$/.test(line)),
    printed.join("\n"),
  );
  const records = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(records.length, 9);
  assert("header" in records[0] && "head" in records[8]);
});

test("the bots of the example print their figures", async () => {
  const service = await Service.start();
  const bots = spawnSync(process.execPath, [`${PACKAGE}example/bots.mjs`, service.url, "2", "1"]);
  await service.kill();
  assert.match(
    bots.stdout.toString(),
    /^1 match: \d+ moves\/s\n2 matches: \d+ moves\/s\n$/,
    `${bots.stderr}`,
  );
});
