import { Readable } from "node:stream";
import { lastOf } from "../../base/expect.ts";
import { type ServiceCall, waitSignalOf } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { readableAt } from "./readable-file.ts";

export interface Download {
  readonly name: string;
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  readonly etag?: string;
  /** Streams bytes `start` (inclusive) to `end` (exclusive); everything without a range. */
  read(range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

const RENDERED_TYPES: Record<string, string> = {
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  jsonl: "application/jsonl",
};

/** GET content/download: the content as stored. */
export async function downloadContent(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly version?: number | undefined;
    readonly snapshot?: string | undefined;
  },
): Promise<Download> {
  const file = await readableAt(deps, call, input.uri, input);
  if ("rendered" in file) {
    const { listed, bytes } = file.rendered;
    const contentType = RENDERED_TYPES[lastOf(file.name.split("."))] ?? "text/plain; charset=utf-8";
    return {
      name: file.name,
      contentType,
      size: listed.size,
      read: (range) => Readable.from(bytes(range?.start, range?.end)),
    };
  }
  const { workspace, entry } = file;
  return {
    name: file.name,
    contentType: entry.mime ?? "application/octet-stream",
    size: entry.size,
    ...(entry.hash && { etag: entry.hash }),
    read: (range) =>
      untilAborted(
        waitSignalOf(call),
        workspace.contents.stream(entry, range?.start ?? 0, range?.end ?? entry.size),
      ),
  };
}

/**
 * Destroys the stream if the signal aborts: a file is verified before its first byte is sent, so a disconnect
 * must be noticed before that.
 */
function untilAborted(signal: AbortSignal, stream: Readable): Readable {
  const end = () => stream.destroy(signal.reason);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  // a reader gets the error anyway; without one, it must not become an uncaught exception
  return stream.on("error", () => undefined).once("close", () => signal.removeEventListener("abort", end));
}
