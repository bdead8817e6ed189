import type { Config } from "../../config/config.ts";
import { identityOf, type Source, type SourceFilter, type SourceSpec } from "../../ingest/source.ts";
import { legalSegment } from "../../ingest/source-name.ts";
import type { Uploads } from "../../workspace/uploads.ts";

export function sourceOpener(deps: { config: Config; uploads: Uploads }): (spec: SourceSpec, filter: SourceFilter) => Promise<Source> {
  return async (spec, filter) => (spec.kind === "upload" ? openUpload(deps, spec) : Promise.reject(new Error(`not yet ${filter.include}`)));
}

async function openUpload({ uploads }: { uploads: Uploads }, spec: Extract<SourceSpec, { kind: "upload" }>): Promise<Source> {
  const name = legalSegment(spec.name);
  return {
    name,
    isDirectory: false,
    identity: identityOf("upload", spec.name),
    files: [{ relPath: [name], read: () => uploads.read(spec.id) }],
    bytes: uploads.sizeOf(spec.id),
    warnings: [],
  };
}
