import { freeName } from "../../domain/text/names.ts";
import type { Path } from "../../domain/uri.ts";
import { reservedFor } from "../../workspace/requests/reservations.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";
import type { ImportTarget } from "./place.ts";

/**
 * The root of an import: as requested, or the derived name, numbered if that belongs to another source; the
 * same source gets its own root again.
 */
export function chooseRoot(
  { workspace, owner }: Tenant,
  place: ImportTarget,
  name: string,
  identity: string,
): Path {
  if ("exact" in place) return place.exact;
  const isTaken = (candidate: string): boolean => {
    const path = [...place.parent, candidate];
    const reserved = reservedFor(workspace, workspace.uris.format(path));
    if (reserved !== undefined) return reserved !== identity;
    const found = locate(workspace.kv, workspace.keys, owner, path);
    if (!found) return false;
    return workspace.entryOf(found.node)?.record.meta?.source_id !== identity;
  };
  return [...place.parent, freeName([name], isTaken)];
}
