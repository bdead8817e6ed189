import { ServiceError } from "../../domain/errors.ts";
import { RESERVED_NAMES } from "../../domain/scope.ts";
import { ImportFilter } from "../../ingest/filter.ts";
import { identityOf, type Source, type SourceFilter, type SourceSpec } from "../../ingest/source.ts";
import { legalSegment } from "../../ingest/source-name.ts";
import { openPath } from "../../ingest/source-path.ts";
import type { Uploads } from "../../workspace/uploads.ts";

interface OpenDeps {
  /** Settings: which local files may be read (undefined = any), what the server writes itself, and how much one import may bring. */
  readonly config: {
    readonly localPaths: readonly string[] | undefined;
    readonly dataDir: string;
    readonly importMaxFiles: number;
    readonly importMaxBytes: number;
  };
  readonly uploads: Uploads;
}

const URL_START = /^(https?:\/\/|git@|git:\/\/|ssh:\/\/)/i;

/** Opens what an import names: a local path or an upload. URLs answer UNIMPLEMENTED. */
export function sourceOpener({ config, uploads }: OpenDeps): (spec: SourceSpec, filter: SourceFilter) => Promise<Source> {
  const rules = { allowed: config.localPaths, dataDir: config.dataDir, maxFiles: config.importMaxFiles, maxBytes: config.importMaxBytes };
  return async (spec, wanted) => {
    const filter = new ImportFilter(wanted);
    if (spec.kind === "upload") return openUpload(uploads, spec);
    if (URL_START.test(spec.path))
      throw new ServiceError("UNIMPLEMENTED", "imports from URLs are not implemented", { reason: "path is a URL" });
    return openPath(spec.path, filter, rules);
  };
}

function openUpload(uploads: Uploads, spec: Extract<SourceSpec, { kind: "upload" }>): Source {
  const name = legalSegment(spec.name);
  const file = { relPath: [name], read: () => uploads.read(spec.id) };
  return {
    name,
    isDirectory: false,
    identity: identityOf("upload", spec.name),
    files: RESERVED_NAMES.has(name) ? [] : [file],
    bytes: uploads.sizeOf(spec.id),
    warnings: [],
  };
}
