import { lastOf } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition, invalidArgument } from "../../domain/errors.ts";
import { directoryLayersJob } from "../../domain/job.ts";
import { checkRemovable, checkWritable } from "../../domain/scope.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { alone } from "../../workspace/access/grants-and-groups.ts";
import { moveToTrash } from "../../workspace/trash/trash.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { checkNotDerived, describe, ensureDirectory, makeDirectory } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueLayersAndPurges } from "../after-change.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

const MAX_DESCRIPTION_BYTES = 16 * 1024;

/**
 * POST fs/mkdir: creates a directory with its parents; a description becomes its permanent L0. With
 * `isReplacing`, takes the place of what is there, of either kind.
 */
export async function makeDirectoryAt(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly description?: string | undefined;
    readonly isReplacing?: boolean;
  },
): Promise<{ uri: string }> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  const { isReplacing = false } = input;
  const check = isReplacing ? checkRemovable : checkWritable;
  check(owner, path, uri, "uri");
  const screened = await workspace.secrets.screenFields(call.reply, input, ["description"], uri);
  const description = screened.description?.trim();
  if (description && Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES)
    throw invalidArgument("description", `must have at most ${MAX_DESCRIPTION_BYTES} bytes`);
  const change = (draft: WorkspaceDraft) => {
    const found = locate(draft, workspace.keys, owner, path);
    const replaced = isReplacing ? found?.entry : undefined;
    if (found && !replaced) {
      if (found.kind === "file") throw failedPrecondition(uri, "a file exists there");
      throw alreadyExists("directory", uri);
    }
    const directory = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
    const name = lastOf(path);
    checkNotDerived(workspace, draft.entry(directory, name), uri);
    const cleanup =
      replaced && moveToTrash(draft, workspace, owner, { directory, name, entry: replaced, path }, "replace");
    const entry = makeDirectory(draft, workspace, directory, name);
    if (replaced && cleanup) {
      // a hidden path stays hidden
      workspace.sharing.carryDenied(draft, replaced.node, entry.node, workspace.table);
      enqueueLayersAndPurges(draft, deps.queue, workspace, cleanup);
    }
    if (description) {
      describe(draft, workspace, directory, name, entry, description);
      deps.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, entry.node, []));
      deps.queue.admit(draft, workspace.incarnation);
    }
    return () => ({ uri });
  };
  // grants on what is replaced must not change before the commit
  return isReplacing ? alone(workspace, () => workspace.transact(change)) : workspace.transact(change);
}
