import { createConnectTransport } from "@connectrpc/connect-web";
import { parseAddress } from "./address.ts";
import { Client } from "./client.ts";
import { type ConnectOptions, settingsOf } from "./options.ts";
import { multipartUploader } from "./web/multipart-upload.ts";

export type { Client } from "./client.ts";
export { CtxdbError } from "./errors.ts";
export type { CallOptions, ConnectOptions } from "./options.ts";
export type { Uploadable, UploadSource } from "./sources.ts";
export type { UploadOptions } from "./upload.ts";

/**
 * Creates a client for browsers, over Connect with fetch. Pages of other origins than the server's need
 * CTXDB_CORS_ORIGINS, or a server with keys.
 */
export function connect(address: string, options: ConnectOptions = {}): Client {
  const target = parseAddress(address);
  const settings = settingsOf(options);
  const transport = createConnectTransport({ baseUrl: target.baseUrl });
  return new Client(
    { transport, uploader: () => multipartUploader(target, settings), close: () => undefined },
    settings,
  );
}
