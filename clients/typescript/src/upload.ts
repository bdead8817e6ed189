import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Caller } from "./caller.ts";
import {
  ResourceService,
  type UploadFileRequestSchema,
  type UploadFileResponse,
} from "./gen/ctxdb/v1/resource_pb.ts";
import type { CallOptions } from "./options.ts";
import { chunked, type UploadSource } from "./sources.ts";

export interface UploadOptions extends CallOptions {
  /** Called with the number of bytes sent so far. */
  readonly onSent?: (bytes: number) => void;
}

/** Uploads a source, as the protocol requires. */
export type Uploader = (source: UploadSource, options?: UploadOptions) => Promise<UploadFileResponse>;

/** Uploads a stream of messages: the header, then chunks at the server's pace. */
export const streamingUploader =
  (caller: Caller): Uploader =>
  (source, options = {}) =>
    caller.send(ResourceService.method.uploadFile, messagesOf(source, options), options);

async function* messagesOf(
  source: UploadSource,
  { onSent }: UploadOptions,
): AsyncGenerator<MessageInitShape<typeof UploadFileRequestSchema>> {
  yield { part: { case: "header", value: { name: source.name, contentType: source.contentType } } };
  let sent = 0;
  for await (const chunk of chunked(source.bytes())) {
    yield { part: { case: "chunk", value: chunk } };
    sent += chunk.length;
    onSent?.(sent);
  }
}
