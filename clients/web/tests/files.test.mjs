// The files that browsers get: Lit is the release that the lock file names, and all of them are small.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Everything but the verifier, compressed. */
const MAX_BYTES = 150_000;

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(root, folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith(".d.ts"));

test("the vendored Lit is what the lock file's release makes", () => {
  const flags = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=inline"];
  const bundle = execFileSync("npx", ["--no-install", "esbuild", "vendor.entry.js", ...flags], { cwd: root });
  assert.equal(readFileSync(join(root, "vendor/lit.js"), "utf8"), bundle.toString());
});

test("all files together stay below the limit, compressed", () => {
  const bytes = [...filesIn("src"), ...filesIn("vendor")].map(
    (path) => gzipSync(readFileSync(path), { level: 9 }).length,
  );
  const total = bytes.reduce((sum, size) => sum + size, 0);
  console.log(`${total} bytes in ${bytes.length} files`);
  assert.ok(total < MAX_BYTES, `${total} bytes`);
});

test("no module makes markup from text", () => {
  for (const path of filesIn("src")) {
    const text = readFileSync(path, "utf8");
    assert.ok(
      !/innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|unsafeSVG|document\.write/.test(text),
      path,
    );
  }
});
