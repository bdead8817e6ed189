import { notFound } from "../../domain/errors.ts";
import { isReadable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Tenant } from "../tenants.ts";

/** The path of a relation's end, which need not exist. Throws NOT_FOUND unless the caller may read it. */
export function endAt({ workspace, owner }: Tenant, uri: string): Path {
  const path = workspace.uris.parse(uri);
  if (!isReadable(owner, path)) throw notFound("resource", workspace.uris.format(path));
  return path;
}

/** The path at which a relation starts. Throws unless the caller may write it. */
export function startAt(tenant: Tenant, uri: string): Path {
  const path = endAt(tenant, uri);
  tenant.owner.access?.checkAlone(path, tenant.workspace.uris.format(path));
  return path;
}
