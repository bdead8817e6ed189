import { present } from "../../base/expect.ts";
import type { Entry } from "../../domain/node.ts";
import { checkWritable } from "../../domain/scope.ts";
import { entryOf, type Located } from "../../workspace/tree/locate.ts";
import { versionOf } from "../../workspace/tree/versions.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkTimeout, type QueueStatus, queueStatus, waitForJobs } from "../wait-for-jobs.ts";
import { inVersion } from "./readable-file.ts";
import { type WriteDeps, writeFile } from "./write-file.ts";

/** Memory per byte: the content and its text. */
const RESTORE_COST = 2;

interface RestoredVersion {
  uri: string;
  restored: number;
  version: number;
  /** Size in bytes. */
  size: number;
  queueStatus?: QueueStatus;
}

/** POST content/restore: makes the content of an earlier version current, as a new version. */
export async function restoreVersion(
  deps: WriteDeps,
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly version: number;
    readonly wait: boolean;
    readonly timeout?: number | undefined;
  },
): Promise<RestoredVersion> {
  const timeout = checkTimeout(input.timeout);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkWritable(owner, path, uri, "uri");
  const content = async (before: Located | undefined) => {
    const earlier = inVersion(workspace, entryOf(present(before, `file ${uri}`)), uri, input.version);
    const lease = call.reserve?.(RESTORE_COST * earlier.size);
    try {
      return { bytes: await workspace.contents.read(earlier), lease };
    } catch (error) {
      lease?.release();
      throw error;
    }
  };
  const answerOf = (entry: Entry): RestoredVersion => ({
    uri,
    restored: input.version,
    version: versionOf(entry),
    size: entry.size,
  });
  const origin = deps.ids();
  const watch = input.wait ? deps.queue.watch({ origin }) : undefined;
  try {
    const entry = await writeFile(deps, tenant, {
      path,
      uri,
      mode: "replace",
      kind: "restore",
      content,
      report: undefined,
      origin,
      ifMatch: call.ifMatch,
      keep: (draft, written) => call.keepAnswer?.(draft, answerOf(written)),
      signal: call.signal,
    });
    if (entry.hash) call.reply.etag = entry.hash;
    if (!watch) return answerOf(entry);
    await waitForJobs(watch, { operation: "content/restore", timeout, call });
    return { ...answerOf(entry), queueStatus: queueStatus(watch) };
  } finally {
    watch?.release();
  }
}
