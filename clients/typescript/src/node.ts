import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { createConnectTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { type Address, parseAddress } from "./address.ts";
import type { Wire } from "./client.ts";
import { NodeClient } from "./node/node-client.ts";
import { type ConnectOptions, settingsOf } from "./options.ts";
import { streamingUploader } from "./upload.ts";

export type { Client } from "./client.ts";
export { CtxdbError } from "./errors.ts";
export type { CallOptions, ConnectOptions } from "./options.ts";
export type { Uploadable, UploadSource } from "./sources.ts";
export type { UploadOptions } from "./upload.ts";

export interface NodeConnectOptions extends ConnectOptions {
  /** HTTP version; "1.1" for proxies that do not support HTTP/2. Default: "2". */
  readonly http?: "1.1" | "2";
  /** PEM of the certificate authorities to trust for https://, instead of Node's. */
  readonly roots?: string;
}

/**
 * Creates a client over Connect. Opens no connection: if the server is unreachable, the first call fails.
 * `address`: `host:port` or a URL.
 */
export function connect(address: string, options: NodeConnectOptions = {}): NodeClient {
  const target = parseAddress(address);
  const wire = options.http === "1.1" ? overHttp1(target, options.roots) : overHttp2(target, options.roots);
  return new NodeClient(wire, settingsOf(options));
}

function overHttp2({ baseUrl }: Address, ca: string | undefined): Wire {
  const sessionManager = new Http2SessionManager(baseUrl, undefined, { ca });
  const transport = createConnectTransport({ baseUrl, httpVersion: "2", sessionManager });
  return { transport, uploader: streamingUploader, close: () => sessionManager.abort() };
}

function overHttp1({ baseUrl, isSecure }: Address, ca: string | undefined): Wire {
  const agent = isSecure ? new HttpsAgent({ keepAlive: true, ca }) : new HttpAgent({ keepAlive: true });
  const transport = createConnectTransport({ baseUrl, httpVersion: "1.1", nodeOptions: { agent } });
  return { transport, uploader: streamingUploader, close: () => agent.destroy() };
}
