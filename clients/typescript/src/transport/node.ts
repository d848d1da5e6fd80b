/** gRPC over HTTP/2, in Node. */

import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { OpenTransport } from "../connection.js";
import type { Settings } from "../settings.js";

/** Opens a transport, which connects with the first call and again whenever the connection is lost. */
export function openTransport({ url, ca }: Settings): OpenTransport {
  // A watch may be silent for long, and only pings reveal that a silent peer is gone.
  const pings = { pingIntervalMs: 20_000, pingTimeoutMs: 10_000 };
  const sessionManager = new Sessions(url, pings, ca === undefined ? {} : { ca });
  const transport = createGrpcTransport({ baseUrl: url, sessionManager });
  return { transport, streamsRequests: true, close: () => sessionManager.abort() };
}

/**
 * Sessions whose late errors are heard. The manager stops listening to a session that was destroyed before
 * its error is emitted, as with a server that does not speak HTTP/2, and an unheard error ends the process.
 */
class Sessions extends Http2SessionManager {
  override async request(...request: Parameters<Http2SessionManager["request"]>) {
    const stream = await super.request(...request);
    if (!stream.session?.listeners("error").includes(ignore)) stream.session?.on("error", ignore);
    return stream;
  }
}

function ignore(): void {
  // The calls of the session have failed with the same error.
}
