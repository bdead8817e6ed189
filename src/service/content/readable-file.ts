import { lastOf } from "../../base/expect.ts";
import type { Caller } from "../../domain/caller.ts";
import { invalidArgument, NotAFile, notFound, ServiceError } from "../../domain/errors.ts";
import type { Entry } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import { SnapshotReader } from "../../workspace/snapshots/snapshot-reader.ts";
import { findSnapshot, pathIn } from "../../workspace/snapshots/visible-snapshots.ts";
import type { Rendered } from "../../workspace/tree/listed.ts";
import { entryOf, mustLocate } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import { entryOfVersion, versionOf } from "../../workspace/tree/versions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

/** A readable file: stored, or rendered from records. */
export type Readable = { readonly uri: string; readonly name: string } & (
  | { readonly workspace: Workspace; readonly entry: Entry }
  | { readonly rendered: Rendered }
);

/** Version or snapshot of the file to read; default: its current content. */
interface StateOfFile {
  readonly version?: number | undefined;
  /** Name of a snapshot. */
  readonly snapshot?: string | undefined;
}

/**
 * The file at a URI, in its current or an earlier version, or in a snapshot. Throws INVALID_ARGUMENT for a
 * directory, NOT_FOUND if nothing exists. Sets the ETag.
 */
export async function readableAt(
  deps: { tenants: Tenants },
  call: ServiceCall,
  text: string,
  { version, snapshot }: StateOfFile = {},
): Promise<Readable> {
  if (snapshot !== undefined) return inSnapshot(deps, call, text, { version, snapshot });
  const file = await fileAt(deps, call.caller, text);
  if ("rendered" in file) {
    if (version !== undefined) throw notVersioned("version", file.uri);
    return file;
  }
  const entry = version === undefined ? file.entry : inVersion(file.workspace, file.entry, file.uri, version);
  if (entry.hash) call.reply.etag = entry.hash;
  return { ...file, entry };
}

/** Throws NOT_FOUND if the snapshot does not have the file. */
async function inSnapshot(
  { tenants }: { tenants: Tenants },
  call: ServiceCall,
  text: string,
  { version, snapshot: name }: StateOfFile & { readonly snapshot: string },
): Promise<Readable> {
  if (version !== undefined) throw invalidArgument("version", "cannot be used together with snapshot");
  const tenant = await tenants.openOrEmpty(call.caller);
  const { workspace } = tenant;
  const snapshot = findSnapshot(tenant, name);
  const path = pathIn(tenant, snapshot, text);
  const uri = workspace.uris.format(path);
  const kv = workspace.kv.snapshot();
  try {
    const { kind, entry } = await new SnapshotReader(tenant, kv, snapshot, call.signal).mustFind(path);
    if (kind === "directory" || !entry) throw new NotAFile(uri);
    // a file that was moved into memories loses its content in snapshots when it is forgotten there
    if (!kv.get(workspace.keys.content(entry.node, entry.generation))) throw notFound("resource", uri);
    if (entry.hash) call.reply.etag = entry.hash;
    return { uri, name: lastOf(path), workspace, entry };
  } finally {
    kv.close();
  }
}

async function fileAt(deps: { tenants: Tenants }, caller: Caller, text: string): Promise<Readable> {
  const { workspace, owner } = await deps.tenants.openOrEmpty(caller);
  const path = workspace.uris.parse(text);
  checkVisible(owner, path, text);
  const uri = workspace.uris.format(path);
  const name = path.at(-1) ?? "";
  const rendered = renderedAt(workspace, owner, path);
  if (rendered) return { uri, name, rendered };
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, uri);
  if (located.kind === "directory") throw new NotAFile(uri);
  return { uri, name, workspace, entry: entryOf(located) };
}

/** Like `readableAt`, for files with versions. Does not set the ETag. */
export async function versionedAt(
  deps: { tenants: Tenants },
  call: ServiceCall,
  text: string,
): Promise<Readable & { readonly workspace: Workspace; readonly entry: Entry }> {
  const file = await fileAt(deps, call.caller, text);
  if ("rendered" in file) throw notVersioned("uri", file.uri);
  return file;
}

const notVersioned = (field: string, uri: string) =>
  invalidArgument(field, `${uri} is rendered by the server and has no versions`);

/** The entry of a version of a file, with its content hash. Throws NOT_FOUND if the version is not stored. */
export function inVersion(workspace: Workspace, entry: Entry, uri: string, version: number): Entry {
  if (version < 1) throw invalidArgument("version", "must be 1 or more: versions are numbered from 1");
  const found = entryOfVersion(workspace.kv, workspace.keys, entry, version);
  if (found) return found.hash ? found : { ...found, hash: workspace.contents.hashOf(found) };
  const last = versionOf(entry);
  const first = entry.history?.first ?? last;
  const which = first === last ? `version ${last} alone` : `versions ${first} to ${last}`;
  throw new ServiceError("NOT_FOUND", `version not found: ${version} of ${uri}, which has ${which}`, {
    resource: uri,
    type: "version",
    first,
    last,
  });
}
