import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { checkTags } from "../../domain/tags.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { putTags, tagsOf } from "../../workspace/tree/node-tags.ts";
import { checkNotDerived } from "../../workspace/tree/tree.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { writablePath } from "./writable-ends.ts";

export interface TaggedNode {
  readonly uri: string;
  readonly tags: string[];
}

/**
 * POST fs/tags: changes tags. A folder's tags apply to everything below it, so a folder of any size is one
 * change.
 */
export async function tagNode(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly add: readonly string[];
    readonly remove: readonly string[];
    readonly replace: boolean;
  },
): Promise<TaggedNode> {
  const add = checkTags(input.add, "add");
  const remove = new Set(checkTags(input.remove, "remove"));
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const { path, uri } = writablePath(workspace.uris, owner, input.uri);
  return workspace.transact((draft) => {
    const located = locate(draft, workspace.keys, owner, path);
    if (!located) throw notFound("resource", uri);
    const { entry, directory } = located;
    if (!entry) throw failedPrecondition(uri, "this folder is created by the server and cannot have tags");
    checkNotDerived(workspace, entry, uri);
    const before = tagsOf(draft, draft.keys, entry.node);
    const kept = input.replace ? [] : before.filter((tag) => !remove.has(tag));
    const tags = checkTags([...kept, ...add], "add");
    if (tags.join(" ") !== before.join(" ")) {
      putTags(draft, entry.node, tags);
      draft.changes.tag(directory, path.at(-1) ?? "", entry);
    }
    return () => ({ uri, tags: [...tags] });
  });
}
