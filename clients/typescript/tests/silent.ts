/** A receiver of webhooks that never answers. */

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A listener that takes connections and says nothing. */
export class Silent {
  private constructor(
    readonly url: string,
    private readonly listener: Server,
    private readonly connections: Socket[],
  ) {}

  static async start(): Promise<Silent> {
    const connections: Socket[] = [];
    const listener = createServer((connection) => {
      // The service may end it in any way.
      connection.on("error", () => {}).resume();
      connections.push(connection);
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as { port: number };
    return new Silent(`http://127.0.0.1:${port}/`, listener, connections);
  }

  /** Pings a webhook that has this receiver; resolves once the service waits for the answer. */
  async pinged(address: string, key: string, webhookId: string): Promise<Socket> {
    const reached = once(this.listener, "connection", { signal: AbortSignal.timeout(20_000) });
    const calling = connect(Number(address.split(":")[1]), "127.0.0.1");
    calling.on("error", () => {});
    calling.write(
      `POST /v1/webhooks/${webhookId}:ping HTTP/1.1\r\nhost: ${address}\r\n` +
        `authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    );
    await reached;
    return calling;
  }

  close(): void {
    for (const connection of this.connections) connection.destroy();
    this.listener.close();
  }
}
