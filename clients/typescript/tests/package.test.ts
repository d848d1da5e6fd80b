/** What is published, and what of it ends up in an application. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleText, PACKAGE } from "./pages.js";

test("the published package has the compiled files and nothing else", (context) => {
  const packing = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const printed = execFileSync("npm", packing, { cwd: PACKAGE, stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = Object.values(JSON.parse(printed.toString()));
  const { files, size, unpackedSize } = packed as {
    files: { path: string }[];
    size: number;
    unpackedSize: number;
  };
  const others = files.map(({ path }) => path).filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path));
  assert.deepEqual(others.sort(), ["README.md", "package.json"]);
  context.diagnostic(`${size} bytes packed, ${unpackedSize} unpacked, ${files.length} files`);
  const { exports } = JSON.parse(readFileSync(`${PACKAGE}package.json`, "utf8"));
  const paths = files.map(({ path }) => `./${path}`);
  for (const target of JSON.stringify(exports).match(/\.\/dist[^"]*/g) ?? [])
    assert(paths.includes(target), target);
});

test("an application contains only what it uses", async (context) => {
  const url = "https://play.example.org";
  const watching = `import { Matchbook } from "matchbook";
    for await (const event of new Matchbook({ url: "${url}" }).match("id").watch()) console.log(event.seq);`;
  const verifying = 'import { verifyDelivery } from "matchbook/webhooks"; await verifyDelivery();';
  const [watch, verify] = [await bundleText(watching), await bundleText(verifying)];
  assert(!watch.includes("webhook-signature") && !watch.includes("node:http2"));
  assert(!verify.includes("grpc") && verify.length < 10_000);
  assert.equal(await bundleText('import "matchbook";'), "", "importing alone has no effect");
  context.diagnostic(`${watch.length} bytes minified to watch, ${verify.length} to verify webhooks`);
});

test("the lock file names only the registry of npm, and hashes what it installs", () => {
  const { packages } = JSON.parse(readFileSync(`${PACKAGE}package-lock.json`, "utf8"));
  for (const [path, { resolved, integrity }] of Object.entries<Record<string, string>>(packages)) {
    if (path !== "") assert(integrity, path);
    assert(resolved === undefined || resolved.startsWith("https://registry.npmjs.org/"), path);
  }
});
