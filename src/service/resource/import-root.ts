import { itemAt } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { isVisible, reservedIn } from "../../domain/scope.ts";
import { freeName } from "../../domain/text/names.ts";
import type { Path, UriCodec } from "../../domain/uri.ts";
import { reservedFor } from "../../workspace/requests/reservations.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";

/** Target of an import: an exact URI, or a parent folder for a derived name. */
export type ImportTarget = { readonly exact: Path } | { readonly parent: Path };

export interface PlaceInput {
  readonly target?: string | undefined;
  readonly to?: string | undefined;
  readonly parent?: string | undefined;
}

const RESOURCES: Path = ["resources"];

/**
 * The target in `target`, `to` or `parent`, of which at most one may be given. It must be in ctx://resources,
 * the default parent. Throws INVALID_ARGUMENT.
 */
export function importTargetOf(uris: UriCodec, input: PlaceInput): ImportTarget {
  const given = (["target", "to", "parent"] as const).filter(
    (field) => input[field] !== undefined && input[field] !== "",
  );
  if (given.length > 1)
    throw invalidArgument(itemAt(given, 1), `cannot be combined: give only one of ${given.join(", ")}`);
  const [field] = given;
  const text = field && input[field];
  if (!field || !text) return { parent: RESOURCES };
  const path = uris.parse(text);
  if (path[0] !== "resources")
    throw invalidArgument(field, `${text} must be below ${uris.format(RESOURCES)}`);
  const reserved = reservedIn(path);
  if (reserved !== undefined) throw invalidArgument(field, `must not contain the reserved name ${reserved}`);
  const isParent = field === "parent" || path.length === 1 || (field === "target" && text.endsWith("/"));
  return isParent ? { parent: path } : { exact: path };
}

/**
 * The root of an import: as requested, or the derived name, numbered if it belongs to another source.
 * Importing the same source again uses the same root.
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
    const found = locate(workspace.kv, workspace.keys, { ...owner, access: undefined }, path);
    if (!found) return false;
    // the name belongs to something that the caller may not see
    if (!isVisible(owner, path)) return true;
    return workspace.entryOf(found.node)?.record.meta?.source_id !== identity;
  };
  return [...place.parent, freeName([name], isTaken)];
}
