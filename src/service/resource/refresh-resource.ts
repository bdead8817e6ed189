import type { ImportDeps } from "../run-import.ts";
import type { ServiceCall } from "../service-call.ts";
import { addResource } from "./add-resource.ts";
import type { AddedResource } from "./import-order.ts";
import { filterOf, importedSource, resourceAt } from "./imported-source.ts";

export interface RefreshInput {
  readonly uri: string;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
  /** Whether to import with a task even if the import is small. */
  readonly isQueued?: boolean | undefined;
}

/**
 * POST resources/refresh: imports a source again into its root's current path, with the original options.
 * Unchanged files cost nothing; missing ones are removed. The caller's right to read the source is checked
 * again. Throws FAILED_PRECONDITION for uploads, which no longer exist, and for anything that was not
 * imported.
 */
export async function refreshResource(
  deps: ImportDeps,
  call: ServiceCall,
  { uri, wait, timeout, isQueued }: RefreshInput,
): Promise<AddedResource> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { path, entry } = resourceAt(tenant, uri);
  const { source, terms, ...notes } = importedSource(tenant.workspace, entry.node, uri);
  return addResource(deps, call, {
    ...notes,
    ...filterOf(terms),
    path: source,
    to: tenant.workspace.uris.format(path),
    wait,
    timeout,
    isQueued,
    summarize: terms.summarize ?? false,
    buildIndex: terms.build_index,
    strict: terms.strict,
  });
}
