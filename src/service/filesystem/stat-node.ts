import { checkVisible } from "../../domain/scope.ts";
import { listedOf } from "../../workspace/tree/listed.ts";
import { countBelow } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { type OriginalEntry, originalEntry, sourceUri } from "./entry-view.ts";

export interface NodeStat extends OriginalEntry {
  /** Number of visible files and directories below; only for directories. */
  count?: number;
}

/** GET fs/stat: describes a node. */
export async function statNode(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly uri: string },
): Promise<NodeStat> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { workspace, owner } = tenant;
  const path = workspace.uris.parse(input.uri);
  checkVisible(owner, path, input.uri);
  const rendered = renderedAt(workspace, owner, path);
  if (rendered) return originalEntry(tenant, rendered.listed);
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, workspace.uris.format(path));
  const { entry } = located;
  if (entry?.hash) call.reply.etag = entry.hash;
  const stat: NodeStat = originalEntry(tenant, listedOf(workspace, located), sourceUri(tenant, located));
  if (located.kind === "directory") stat.count = await countBelow(workspace, owner, located);
  return stat;
}
