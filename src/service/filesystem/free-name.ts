import { lastOf } from "../../base/expect.ts";
import { notFound } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import type { KvReader } from "../../storage/kv.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { renameDerivedAside } from "../../workspace/tree/tree.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/**
 * Renames a derived node to free its name, for callers who do not see derived nodes and create something with
 * that name. Any other node is unchanged. Throws NOT_FOUND inside a derived directory.
 */
export async function freeName(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly uri: string },
): Promise<void> {
  const { workspace, owner } = await deps.tenants.openOrCreate(call.caller);
  const path = workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkWritable(owner, path, uri, "uri");
  const derived = (reader: KvReader, at = path) => {
    const found = locate(reader, workspace.keys, owner, at);
    return found?.entry?.source === undefined ? undefined : { ...found, entry: found.entry };
  };
  if (!derived(workspace.kv)) return;
  await workspace.transact((draft) => {
    if (derived(draft, path.slice(0, -1))) throw notFound("resource", uri);
    const found = derived(draft);
    if (found) renameDerivedAside(draft, found.directory, lastOf(path), found.entry);
    return () => undefined;
  });
}
