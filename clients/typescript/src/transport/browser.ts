/** gRPC-Web by `fetch`, in browsers. */

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import type { OpenTransport } from "../connection.js";
import type { Settings } from "../settings.js";

/** Opens a transport. The browser keeps the connections. */
export function openTransport({ url, ca }: Settings): OpenTransport {
  if (ca !== undefined) throw new TypeError("ca has no effect in a browser, which chooses whom it trusts");
  const transport = createGrpcWebTransport({ baseUrl: url });
  return { transport, streamsRequests: false, close: () => undefined };
}
