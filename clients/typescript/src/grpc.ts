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
  /** PEM of the authorities to trust for https://, instead of those of Node. */
  readonly roots?: string;
}

/** What gRPC takes in one message; the server's limit on answers is 3 MiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * A client over gRPC, by grpc-js. Nothing is sent yet: an unreachable server is noticed by the first call.
 */
export function connect(address: string, options: GrpcConnectOptions = {}): NodeClient {
  const { authority, isSecure } = parseAddress(address);
  const roots = options.roots === undefined ? undefined : Buffer.from(options.roots);
  const credentials = isSecure ? ChannelCredentials.createSsl(roots) : ChannelCredentials.createInsecure();
  // the layer repeats by its own rules
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
