import { notFound } from "../../domain/errors.ts";
import { isReadable } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { Tenant } from "../tenants.ts";

/** The path of a relation's end, which the caller must be able to read, whether or not it exists. */
export function endAt({ workspace, owner }: Tenant, uri: string): Path {
  const path = workspace.uris.parse(uri);
  if (!isReadable(owner, path)) throw notFound("resource", workspace.uris.format(path));
  return path;
}

/** The path at which a relation starts, which the caller must be able to write. */
export function startAt(tenant: Tenant, uri: string): Path {
  const path = endAt(tenant, uri);
  tenant.owner.access?.checkAlone(path, tenant.workspace.uris.format(path));
  return path;
}
