/** Pages with the package: bundled as an application's build does it, served to a real Chromium. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type BuildOptions, build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";

/** The folder of the package, above that of the compiled tests. */
export const PACKAGE = new URL("../../", import.meta.url).pathname;

/** Returns the text of a program with all that it uses of the package, minified. */
export async function bundle(source: Pick<BuildOptions, "stdin" | "entryPoints">): Promise<string> {
  const settings = {
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    logLevel: "error",
  } as const;
  const built = await build({ ...source, ...settings, platform: "browser", absWorkingDir: PACKAGE });
  return built.outputFiles[0]?.text ?? "";
}

/** Returns the text of a program that is a few lines long. */
export function bundleText(contents: string): Promise<string> {
  return bundle({ stdin: { contents, resolveDir: PACKAGE } });
}

/** A browser and the server of its pages. */
export class Pages {
  readonly #files = new Map<string, { type: string; text: string }>();

  private constructor(
    readonly browser: Browser,
    readonly server: Server,
  ) {
    server.on("request", (request, response) => {
      const file = this.#files.get(new URL(request.url ?? "/", this.origin).pathname);
      response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" });
      response.end(file?.text ?? "");
    });
  }

  /** Starts the browser that `MATCHBOOK_CHROMIUM` names. */
  static async start(): Promise<Pages> {
    const executablePath = process.env["MATCHBOOK_CHROMIUM"];
    if (!executablePath) throw new Error("set MATCHBOOK_CHROMIUM to the path of Chromium");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Root has no sandbox; the pages are the test's own.
    return new Pages(await chromium.launch({ executablePath, args: ["--no-sandbox"] }), server);
  }

  /** The origin of the pages, which the service must allow. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves a file. */
  add(path: string, type: string, text: string): void {
    this.#files.set(path, { type, text });
  }

  /** Opens a page; a fault in it fails the test that uses it. */
  async open(path: string): Promise<{ page: Page; faults: Error[] }> {
    const page = await this.browser.newPage();
    const faults: Error[] = [];
    page.on("pageerror", (error) => faults.push(error));
    await page.goto(`${this.origin}${path}`);
    return { page, faults };
  }

  /** Ends the browser and the server. */
  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
