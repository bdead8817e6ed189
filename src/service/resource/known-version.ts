import type { Path } from "../../domain/uri.ts";
import type { FetchedVersion, Opening } from "../../ingest/source.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";
import type { ImportOrder } from "./import-order.ts";

/** Validators of the last import from the same URL, unless the file was changed since. */
export function knownVersion(
  { workspace, owner }: Tenant,
  { root, meta }: ImportOrder & { readonly root: Path },
): Opening["known"] {
  const entryAt = (path: Path) => locate(workspace.kv, workspace.keys, owner, path)?.entry;
  const at = entryAt(root);
  const kept = at && workspace.entryOf(at.node)?.record.meta;
  const version = kept?.version as FetchedVersion | undefined;
  if (version === undefined || kept?.source_id !== meta.source_id) return undefined;
  const file = entryAt([...root, version.name]);
  if (file?.kind !== "file" || file.hash !== version.hash) return undefined;
  return { version, read: async () => workspace.contents.read(file) };
}
