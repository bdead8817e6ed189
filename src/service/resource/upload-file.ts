import { NO_USER } from "../../domain/ids.ts";
import { legalSegment } from "../../ingest/source-name.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Uploads } from "../../workspace/requests/uploads.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

export interface UploadDeps {
  readonly tenants: Tenants;
  readonly uploads: Uploads;
  readonly queue: JobQueue;
  /** Generates unguessable ids. */
  readonly tokens: () => string;
  /** Maximum size in bytes. */
  readonly maxUploadBytes: number;
}

/** POST resources/temp_upload: stores a file temporarily under an opaque id, bound to account and user. */
export async function uploadFile(
  deps: UploadDeps,
  call: ServiceCall,
  file: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> },
) {
  const { workspace } = await deps.tenants.openOrCreate(call.caller);
  const id = deps.tokens();
  const { user, userIncarnation = NO_USER } = call.caller;
  const { incarnation } = workspace;
  const owner = { incarnation, user, userIncarnation, name: uploadName(file.name) };
  const room = (bytes: number) => {
    deps.queue.backlog.check(workspace.incarnation, { jobs: 0, bytes });
    // pending uploads count in addition to stored bytes
    workspace.checkRoom(deps.uploads.held(workspace.incarnation) + bytes);
  };
  const { size, sha256 } = await deps.uploads.save(id, owner, file.bytes, deps.maxUploadBytes, {
    room,
    allowed: (read) => workspace.checkAllowed(read),
    signal: call.signal,
  });
  return { tempPath: id, tempFileId: id, size, sha256 };
}

/** The last segment of the client's file name, which may be a path on the client's machine, or hostile. */
const uploadName = (name: string): string => legalSegment(name.split(/[\\/]/).at(-1) || "upload");
