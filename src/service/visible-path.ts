import { checkVisible } from "../domain/scope.ts";
import type { Path } from "../domain/uri.ts";
import type { ServiceCall } from "./service-call.ts";
import type { Tenant, Tenants } from "./tenants.ts";

/** Path and normalized form of a URI that the caller may see. Throws INVALID_URI, NOT_FOUND. */
export async function visiblePath(
  deps: { readonly tenants: Pick<Tenants, "openOrEmpty"> },
  { caller }: Pick<ServiceCall, "caller">,
  given: string,
): Promise<Tenant & { readonly path: Path; readonly uri: string }> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(caller);
  const path = workspace.uris.parse(given);
  checkVisible(owner, path, given);
  return { workspace, owner, path, uri: workspace.uris.format(path) };
}
