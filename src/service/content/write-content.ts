import { present } from "../../base/expect.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { Draft } from "../../storage/draft.ts";
import { entryOf, type Located } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitForJobs } from "../wait-for-jobs.ts";
import { appendText } from "./append-text.ts";
import { type WriteDeps, writeFile, writeModeOf } from "./write-file.ts";

export interface WriteInput {
  readonly uri: string;
  readonly content: string;
  readonly mode?: string | undefined;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
}

export interface WriteResult {
  uri: string;
  mode: string;
  /** Size of the given content in bytes. */
  writtenBytes: number;
  queueStatus?: QueueStatus;
}

/**
 * POST content/write: `replace` (default) and `append` require an existing file; `create` creates it with its
 * parents.
 */
export async function writeContent(
  deps: WriteDeps,
  call: ServiceCall,
  input: WriteInput,
): Promise<WriteResult> {
  const mode = writeModeOf(input.mode);
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { uris } = tenant.workspace;
  const path = uris.parse(input.uri);
  const uri = uris.format(path);
  checkWritable(tenant.owner, path, uri, "uri");
  const sent = Buffer.from(input.content.toWellFormed());
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    const written: WriteResult = { uri, mode, writtenBytes: sent.byteLength };
    const keep = (draft: Draft) => call.keepAnswer?.(draft, written);
    const append = async (before: Located | undefined) => {
      const entry = entryOf(present(before, `file ${uri}`));
      return appendText(tenant.workspace, call, uri, entry, sent);
    };
    const entry = await writeFile(deps, tenant, {
      path,
      uri,
      mode,
      kind: mode === "append" ? "append" : "write",
      content: mode === "append" ? append : async () => ({ bytes: sent }),
      report: call.reply,
      origin,
      ifMatch: call.ifMatch,
      keep,
      signal: call.signal,
    });
    if (entry.hash) call.reply.etag = entry.hash;
    if (!watch) return written;
    await waitForJobs(watch, { operation: "content/write", timeout, call });
    return { ...written, queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}
