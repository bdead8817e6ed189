import { failedPrecondition, invalidArgument, permissionDenied } from "../../domain/errors.ts";
import { checkVisible } from "../../domain/scope.ts";
import { packScope } from "../../ingest/pack/format.ts";
import { isPackable, writePack } from "../../ingest/pack/write-pack.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { checkNotDerived } from "../../workspace/tree/tree.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

export interface ExportDeps {
  readonly tenants: Tenants;
  /** Maximum number of files and unpacked bytes of a pack. */
  readonly packLimits: { readonly maxFiles: number; readonly maxBytes: number };
}

/**
 * POST pack/export: streams a file, or a folder with its contents. Throws FAILED_PRECONDITION if it exceeds
 * the limits of an import.
 */
export async function exportPack(
  deps: ExportDeps,
  call: ServiceCall,
  input: { readonly uri: string; readonly includeVectors: boolean; readonly to?: string | undefined },
): Promise<{ name: string; contentType: string; read(): AsyncIterable<Uint8Array> }> {
  if (input.to !== undefined && input.to !== "")
    throw permissionDenied(
      "to",
      "must be left out: the response contains the pack, and the server does not write it to a file",
    );
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const path = workspace.uris.parse(input.uri);
  checkVisible(owner, path, input.uri);
  const uri = workspace.uris.format(path);
  const scope = packScope(path);
  if (scope === undefined)
    throw invalidArgument("uri", `${uri} cannot be exported: choose resources, skills or memories`);
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, uri);
  checkNotDerived(workspace, located.entry, uri);
  const { maxFiles } = deps.packLimits;
  if (!(await isPackable(workspace, owner, located, maxFiles)))
    throw failedPrecondition(uri, `it has more than CTXDB_IMPORT_MAX_FILES (${maxFiles}) files`);
  return {
    name: `${path.at(-1)}.ctxpack.zip`,
    contentType: "application/zip",
    read: () => writePack(workspace, owner, { path, scope, vectors: input.includeVectors }),
  };
}
