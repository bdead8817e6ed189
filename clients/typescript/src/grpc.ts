import { ChannelCredentials, Client } from "@grpc/grpc-js";
import { parseAddress } from "./address.ts";
import { GrpcTransport } from "./grpc/grpc-transport.ts";
import { NodeClient } from "./node/node-client.ts";
import { type ConnectOptions, settingsOf } from "./options.ts";
import { streamingUploader } from "./upload.ts";

export type { Client } from "./client.ts";
export { CtxdbError } from "./errors.ts";
export type { CallOptions, ConnectOptions } from "./options.ts";
export type { Uploadable, UploadSource } from "./sources.ts";
export type { UploadOptions } from "./upload.ts";

export interface GrpcConnectOptions extends ConnectOptions {
  /** PEM of the certificate authorities to trust for https://, instead of Node's. */
  readonly roots?: string;
}

/** Maximum size of a received message in bytes; the server's limit for responses is 3 MiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Creates a client over gRPC (grpc-js). Sends nothing yet: an unreachable server is noticed by the first
 * call.
 */
export function connect(address: string, options: GrpcConnectOptions = {}): NodeClient {
  const { authority, isSecure } = parseAddress(address);
  const roots = options.roots === undefined ? undefined : Buffer.from(options.roots);
  const credentials = isSecure ? ChannelCredentials.createSsl(roots) : ChannelCredentials.createInsecure();
  // retries are handled by the client itself
  const client = new Client(authority, credentials, {
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.enable_retries": 0,
  });
  const wire = {
    transport: new GrpcTransport(client),
    uploader: streamingUploader,
    close: () => client.close(),
  };
  return new NodeClient(wire, settingsOf(options));
}
