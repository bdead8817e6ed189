import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import type { Address } from "../address.ts";
import { CtxdbError } from "../errors.ts";
import { UploadFileResponseSchema } from "../gen/ctxdb/v1/resource_pb.ts";
import type { Settings } from "../options.ts";
import type { UploadSource } from "../sources.ts";
import type { Uploader } from "../upload.ts";

const ROUTE = "/api/v1/resources/temp_upload";

/** JSON response of the REST API. */
interface Envelope {
  readonly result?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: JsonObject };
}

/**
 * Uploads by the REST route, because browsers cannot stream messages. `onSent` is called once, at the end.
 */
export const multipartUploader =
  ({ baseUrl }: Address, { headers, longDeadlineSeconds }: Settings): Uploader =>
  async (source, { signal, deadlineSeconds = longDeadlineSeconds, onSent } = {}) => {
    const late = AbortSignal.timeout(deadlineSeconds * 1000);
    const body = new FormData();
    const file = await blobOf(source);
    body.set("file", file, source.name);
    try {
      const response = await fetch(`${baseUrl}${ROUTE}`, {
        method: "POST",
        headers,
        body,
        // followed, a redirect would take the key and the file to another host
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const { result, error } = (await response.json()) as Envelope;
      if (error)
        throw new CtxdbError(
          error.code,
          error.message,
          error.details,
          response.headers.get("x-request-id") ?? undefined,
        );
      onSent?.(file.size);
      return fromJson(UploadFileResponseSchema, result ?? {});
    } catch (thrown) {
      throw uploadError(thrown, signal, late);
    }
  };

function uploadError(thrown: unknown, cancelled: AbortSignal | undefined, late: AbortSignal): CtxdbError {
  if (thrown instanceof CtxdbError) return thrown;
  if (cancelled?.aborted)
    return new CtxdbError("CANCELLED", "the upload was cancelled", {}, undefined, thrown);
  if (late.aborted)
    return new CtxdbError("DEADLINE_EXCEEDED", "the upload took too long", {}, undefined, thrown);
  return new CtxdbError("UNAVAILABLE", `the upload broke off: ${thrown}`, {}, undefined, thrown);
}

/** A file of the browser stays on disk; any other source is collected in memory. */
async function blobOf({ bytes, contentType, blob }: UploadSource): Promise<Blob> {
  if (blob) return blob;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of bytes()) pieces.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(pieces, { type: contentType });
}
