// The verifier of the page gives the report of `matchbook verify --json`, for every log file of the
// repository.
//
//   VERIFIER=verifier.wasm MATCHBOOK=target/debug/matchbook node --test clients/web/tests/verifier.test.mjs

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Verifier } from "../src/verify/verifier.js";

const { MATCHBOOK, VERIFIER } = process.env;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "service/audit/tests/forged");
const files = readdirSync(folder).map((name) => join(folder, name));

let home;
let verifier;

before(async () => {
  home = mkdtempSync(join(tmpdir(), "verifier-"));
  verifier = await Verifier.start(readFileSync(VERIFIER));
});

after(() => rmSync(home, { recursive: true }));

// Returns the reports of `matchbook verify` by file.
const command = (paths, keys = []) => {
  const trusted = keys.flatMap((key) => ["--key", key]);
  const options = { env: { MATCHBOOK_STATE: home }, encoding: "utf8", maxBuffer: 2 ** 28 };
  const { stdout, stderr, error } = spawnSync(MATCHBOOK, ["verify", ...paths, ...trusted, "--json"], options);
  assert.ok(!error, String(error));
  const reports = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(reports.length, paths.length, stderr);
  return reports;
};

const agree = (path, mine, theirs) => {
  const { service, ...own } = mine;
  const { file, parent, advice, ...other } = theirs;
  assert.equal(file, path);
  if (other.verdict !== "unreadable") {
    assert.equal(typeof service, "string");
    return assert.deepEqual(own, other, path);
  }
  // The command's sentence names the file as well.
  assert.equal(own.verdict, "unreadable", path);
  assert.ok(other.problem.endsWith(own.problem), `${other.problem} / ${own.problem}`);
};

test("every log of the repository gets the same report", () => {
  assert.ok(files.length > 100, "the folder has the forged logs");
  const verdicts = new Set();
  command(files).forEach((theirs, index) => {
    agree(files[index], verifier.verify(readFileSync(files[index]), ""), theirs);
    verdicts.add(theirs.verdict);
  });
  assert.deepEqual([...verdicts].sort(), ["key_unknown", "refused", "unreadable"]);
});

test("a trusted key verifies a log, as it does for the command", () => {
  const path = files.find((file) => file.endsWith("control-resignation.jsonl"));
  const bytes = readFileSync(path);
  const signedBy = verifier.verify(bytes, "").signedBy;
  const report = verifier.verify(bytes, `${signedBy}\n`);
  assert.equal(report.verdict, "verified");
  agree(path, report, command([path], [signedBy])[0]);
  command(files, [signedBy]).forEach((theirs, index) => {
    const mine = verifier.verify(readFileSync(files[index]), signedBy);
    const isOfService = mine.service === signedBy.split("+")[0];
    if (isOfService || mine.verdict === "unreadable") agree(files[index], mine, theirs);
  });
});

test("every changed byte of a log is found, and none stops the verifier", () => {
  const path = files.find((file) => file.endsWith("control-resignation.jsonl"));
  const bytes = readFileSync(path);
  const signedBy = verifier.verify(bytes, "").signedBy;
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = Uint8Array.from(bytes);
    changed[at] ^= 1;
    const { verdict } = verifier.verify(changed, signedBy);
    assert.ok(verdict !== "verified" && verdict !== "incomplete", `byte ${at}: ${verdict}`);
  }
});

test("bytes that are no log are unreadable, as for the command", () => {
  const whole = readFileSync(files[0]);
  for (const bytes of [
    Buffer.of(),
    Buffer.from("{"),
    Buffer.from("nothing"),
    whole.subarray(0, whole.length / 2),
  ]) {
    const path = join(home, "file");
    writeFileSync(path, bytes);
    agree(path, verifier.verify(bytes, ""), command([path])[0]);
  }
});

test("a file that is too large is refused before it is read", () => {
  assert.throws(() => verifier.checkSize(2 ** 40), /64 MiB/);
  assert.throws(() => verifier.verify({ length: 2 ** 26 + 1 }, ""), /64 MiB/);
});
