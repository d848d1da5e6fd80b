/** A process of the service, which tests start, stop and start again. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = process.env["MATCHBOOK_TEST_SERVICE"] ?? "";

/** Returns a new folder for a test. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "matchbook-typescript-"));
}

/** Returns a port on which nothing listens, below those of outgoing connections, which could take it. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const tried = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      tried.once("error", () => resolve(false));
      tried.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (isFree) {
      await new Promise((resolve) => tried.close(resolve));
      return port;
    }
  }
}

/** A running service in a folder of its own. */
export class Service {
  /** API keys by name. */
  readonly keys: Record<string, string> = {};
  readonly #arguments: string[];
  readonly #log: string;
  #process: ChildProcess | undefined;

  private constructor(
    readonly address: string,
    readonly scheme: string,
    folder: string,
    settings: string[],
    roles: string[],
  ) {
    this.#log = join(folder, "matchbookd.log");
    this.#arguments = [
      "serve",
      "--listen",
      address,
      "--key-file",
      join(folder, "matchbook.key"),
      ...settings,
    ];
    for (const wanted of roles) {
      const [name = wanted, role = name] = wanted.split("=");
      const made = execFileSync(PROGRAM, ["key", "new", "--name", name, "--role", role, "--json"]);
      const { key, config } = JSON.parse(made.toString());
      this.keys[name] = key;
      this.#arguments.push("--api-key", config);
    }
  }

  /** Starts a service on a database in memory, unless the settings name another. */
  static async start({ settings = [], roles = [], scheme = "http" }: Partial<ServiceOptions> = {}) {
    if (PROGRAM === "") throw new Error("set MATCHBOOK_TEST_SERVICE to the path of matchbookd");
    const folder = newFolder();
    const database = settings.includes("--database") ? [] : ["--database", "memory:"];
    const address = `127.0.0.1:${await freePort()}`;
    const service = new Service(address, scheme, folder, [...settings, ...database], roles);
    await service.start();
    return service;
  }

  /** The URL of the service. */
  get url(): string {
    return `${this.scheme}://${this.address}`;
  }

  /** Starts the process, on the same address as before. */
  async start(): Promise<void> {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(MATCHBOOK|OTEL)_/.test(name));
    const log = openSync(this.#log, "a");
    const env = Object.fromEntries(inherited);
    this.#process = spawn(PROGRAM, this.#arguments, { stdio: ["ignore", "pipe", log], env });
    const output = this.#process.stdout;
    if (output === null) throw new Error("the service has no output");
    const isServing = new Promise<boolean>((resolve) => {
      const lines = createInterface(output);
      lines.on("line", (line) => /^\s*gRPC\s/.test(line) && resolve(true));
      lines.on("close", () => resolve(false));
    });
    if (!(await isServing)) throw new Error(`the service ended during startup:\n${readFileSync(this.#log)}`);
    // A test that fails before it ends its service still ends, and the service with it.
    const running = this.#process;
    running.unref();
    (output as Socket).unref();
    process.once("exit", () => running.kill("SIGKILL"));
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.ref();
    running.kill("SIGKILL");
    await ended;
  }

  /** Kills the process and starts it again. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }
}

interface ServiceOptions {
  settings: string[];
  /** For each API key its role, which is its name too, or `NAME=ROLE`. */
  roles: string[];
  scheme: string;
}

/** Returns the settings of a service whose database outlives it. */
export function kept(): string[] {
  return ["--database", `sqlite://${join(newFolder(), "matchbook.db")}`];
}

/** Reads a stream to its end. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
