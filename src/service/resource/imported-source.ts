import { failedPrecondition, notFound } from "../../domain/errors.ts";
import type { Entry, NodeId } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { SourceFilter, SourceSpec } from "../../ingest/source.ts";
import { remoteSpec } from "../../ingest/source-address.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Tenant } from "../tenants.ts";
import type { ImportTerms } from "./import-order.ts";

/** The source of an imported resource, and the options of the import. */
export interface ImportedSource {
  /** Path, URL or repository. */
  readonly source: string;
  readonly reason: string;
  readonly instruction: string;
  readonly terms: Partial<ImportTerms>;
}

/** The entry of a resource that the caller may see, and its path. Throws NOT_FOUND. */
export function resourceAt(
  { workspace, owner }: Tenant,
  uri: string,
): { readonly path: Path; readonly entry: Entry } {
  const path = workspace.uris.parse(uri);
  checkVisible(owner, path, uri);
  const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
  if (!entry) throw notFound("resource", uri);
  return { path, entry };
}

/**
 * The source of an imported resource, which can be imported again. Throws FAILED_PRECONDITION for uploads,
 * which no longer exist, and for anything that was not imported.
 */
export function importedSource(workspace: Workspace, node: NodeId, uri: string): ImportedSource {
  const { source, reason, instruction, import: given } = workspace.entryOf(node)?.record.meta ?? {};
  const terms = (given ?? {}) as Partial<ImportTerms>;
  if (terms.kind === undefined || terms.kind === "upload") {
    const why =
      terms.kind === undefined
        ? "it is not the root of an imported resource"
        : "it came from an upload, which is gone: upload the source again";
    throw failedPrecondition(uri, why);
  }
  return {
    source: String(source),
    reason: String(reason ?? ""),
    instruction: String(instruction ?? ""),
    terms,
  };
}

/** URI of a resource; undefined while it is in the trash, or removed and not purged yet. */
export const uriOfResource = (workspace: Workspace, node: NodeId): string | undefined =>
  workspace.table.isReachable(node) ? workspace.uriOf(node) : undefined;

/** The source that a path, URL or repository names. */
export const specOf = (source: string): SourceSpec => remoteSpec(source) ?? { kind: "path", path: source };

export const filterOf = ({ ignore_dirs, include, exclude }: Partial<ImportTerms>): SourceFilter => ({
  ignoreDirs: ignore_dirs ?? "",
  include: include ?? "",
  exclude: exclude ?? "",
});
