import { present } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { Entry } from "../../domain/node.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { Draft } from "../../storage/draft.ts";
import { entryOf, type Located } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../call.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitDrained } from "../waiting.ts";
import { type WriteChange, type WriteDeps, writeFile } from "./write-file.ts";

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

/** Maximum file size in bytes for appends, because every append reads and rewrites the whole file. */
const MAX_APPENDED_BYTES = 16 * 1024 * 1024;
/** Memory per byte of the new file: old content, new content and text. */
const APPEND_COST = 3;

type Mode = Exclude<WriteChange["mode"], "put">;
const MODES: readonly Mode[] = ["replace", "append", "create"];

/**
 * POST content/write: `replace` (default) and `append` require an existing file; `create` creates it with its
 * parents.
 */
export async function writeContent(
  deps: WriteDeps,
  call: ServiceCall,
  input: WriteInput,
): Promise<WriteResult> {
  const mode = MODES.find((one) => one === (input.mode ?? "replace"));
  if (mode === undefined) throw invalidArgument("mode", "must be replace, append or create");
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.writing(call.caller);
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
      return appended(tenant.workspace, call, uri, entry, sent);
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
    await waitDrained(watch, { operation: "content/write", timeout, signal: call.signal });
    return { ...written, queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}

/** A file's content with the given text appended. */
async function appended(
  workspace: Workspace,
  call: ServiceCall,
  uri: string,
  entry: Entry,
  sent: Uint8Array,
): ReturnType<WriteChange["content"]> {
  const size = entry.size + sent.byteLength;
  if (size > MAX_APPENDED_BYTES) throw tooLongToAppend(uri, size);
  const lease = call.reserve?.(APPEND_COST * size);
  try {
    const bytes = Buffer.concat([await workspace.contents.read(entry), sent]);
    return { bytes, lease, known: entry.size };
  } catch (error) {
    lease?.release();
    throw error;
  }
}

const tooLongToAppend = (uri: string, size: number) =>
  invalidArgument(
    "content",
    `${uri} would have ${size} bytes; append makes files of at most ${MAX_APPENDED_BYTES} bytes: upload the whole file instead`,
  );
