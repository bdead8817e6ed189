import { failedPrecondition, notFound } from "../../domain/errors.ts";
import { checkVisible } from "../../domain/scope.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../call.ts";
import type { ImportDeps } from "../import-deps.ts";
import { addResource } from "./add-resource.ts";
import type { AddedResource } from "./added-resource.ts";
import type { ImportTerms } from "./import-order.ts";

export interface RefreshInput {
  readonly uri: string;
  readonly wait: boolean;
  readonly timeout?: number | undefined;
}

/**
 * POST resources/refresh: imports a source again into its root's current path, with the original options.
 * Unchanged files cost nothing; missing ones are removed. Checks the right to read the source again. Throws
 * FAILED_PRECONDITION for uploads, which no longer exist, and for anything that was not imported.
 */
export async function refreshResource(
  deps: ImportDeps,
  call: ServiceCall,
  { uri, wait, timeout }: RefreshInput,
): Promise<AddedResource> {
  const { workspace, owner } = await deps.tenants.reading(call.caller);
  const path = workspace.uris.parse(uri);
  checkVisible(owner, path, uri);
  const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
  if (!entry) throw notFound("resource", uri);
  const { source, reason, instruction, import: terms } = workspace.entryOf(entry.node)?.record.meta ?? {};
  const { kind, ignore_dirs, include, exclude, strict, build_index, summarize } = (terms ??
    {}) as Partial<ImportTerms>;
  if (kind === undefined || kind === "upload") {
    const why =
      kind === undefined
        ? "it is not the root of an imported resource"
        : "it came from an upload, which is gone: upload the source again";
    throw failedPrecondition(uri, why);
  }
  return addResource(deps, call, {
    path: String(source),
    to: workspace.uris.format(path),
    reason: String(reason ?? ""),
    instruction: String(instruction ?? ""),
    wait,
    timeout,
    summarize: summarize ?? false,
    buildIndex: build_index,
    strict,
    ignoreDirs: ignore_dirs ?? "",
    include: include ?? "",
    exclude: exclude ?? "",
  });
}
