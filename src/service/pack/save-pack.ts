import { writeLocalFile } from "../../ingest/local-file.ts";
import type { PathRules } from "../../ingest/source-path.ts";
import type { ServiceCall } from "../service-call.ts";
import { type ExportDeps, exportPack } from "./export-pack.ts";

export interface SavePackDeps extends ExportDeps {
  readonly pathRules: PathRules;
}

/**
 * Exports like `exportPack` to a new file on the server; returns its path. Only folders in CTXDB_LOCAL_PATHS
 * are allowed.
 */
export async function savePack(
  deps: SavePackDeps,
  call: ServiceCall,
  { to, ...input }: { readonly uri: string; readonly includeVectors: boolean; readonly to: string },
): Promise<string> {
  const { read } = await exportPack(deps, call, input);
  return writeLocalFile(to, read, { extension: ".ovpack", rules: deps.pathRules, signal: call.signal });
}
