/** A connection that a test can cut: a proxy before the service. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Forwards connections; can swallow answers, and cut every connection. */
export class TestProxy {
  /** Number of connections so far. */
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #swallows = false;

  private constructor(target: string) {
    const [host = "", port = ""] = target.split(":");
    this.#server = createServer((near) => {
      this.connections += 1;
      const far = connect(Number(port), host);
      for (const [from, to] of [[near, far] as const, [far, near] as const]) {
        this.#sockets.add(from);
        // What broke is closed on the other side too.
        from.on("error", () => to.destroy());
        from.on("close", () => to.destroy());
      }
      near.pipe(far);
      far.on("data", (data) => this.#answer(data, far, near));
    });
  }

  /** Starts a proxy before a service. */
  static async before(target: string): Promise<TestProxy> {
    const proxy = new TestProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The URL of the proxy. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops what the service answers next and cuts the connections instead. */
  loseTheNextAnswer(): void {
    this.#swallows = true;
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  /** Ends the proxy. */
  close(): void {
    this.#server.close();
    this.cut();
  }

  #answer(data: Buffer, far: Socket, near: Socket): void {
    // Acknowledgements of settings and windows are small; a response carries a view.
    if (this.#swallows && data.length > 100) {
      this.#swallows = false;
      this.cut();
    } else if (!near.write(data)) {
      far.pause();
      near.once("drain", () => far.resume());
    }
  }
}
