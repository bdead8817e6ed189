import { lastOf } from "../../base/expect.ts";
import { alreadyExists, failedPrecondition, invalidArgument } from "../../domain/errors.ts";
import { directoryLayersJob } from "../../domain/job.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { checkNotDerived, describe, ensureDirectory, makeDirectory } from "../../workspace/tree/tree.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

const MAX_DESCRIPTION_BYTES = 16 * 1024;

/** POST fs/mkdir: creates a directory with its parents; a description becomes its permanent L0. */
export async function makeDirectoryAt(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: { readonly uri: string; readonly description?: string | undefined },
): Promise<{ uri: string }> {
  const { workspace, owner } = await deps.tenants.writing(call.caller);
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkWritable(owner, path, uri, "uri");
  const screened = await workspace.secrets.fields(call.reply, input, ["description"], uri);
  const description = screened.description?.trim();
  if (description && Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES)
    throw invalidArgument("description", `must have at most ${MAX_DESCRIPTION_BYTES} bytes`);
  return workspace.commit((draft) => {
    const found = locate(draft, workspace.keys, owner, path);
    if (found?.kind === "file") throw failedPrecondition(uri, "a file exists there");
    if (found) throw alreadyExists("directory", uri);
    const parent = ensureDirectory(draft, workspace, owner, path.slice(0, -1), uri);
    checkNotDerived(workspace, draft.entry(parent, lastOf(path)), uri);
    const entry = makeDirectory(draft, workspace, parent, lastOf(path));
    if (description) {
      describe(draft, workspace, parent, lastOf(path), entry, description);
      deps.queue.enqueue(draft, directoryLayersJob(workspace.incarnation, entry.node, []));
      deps.queue.admit(draft, workspace.incarnation);
    }
    return () => ({ uri });
  });
}
