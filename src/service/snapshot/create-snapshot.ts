import {
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  permissionDenied,
  ServiceError,
} from "../../domain/errors.ts";
import { isIdentifier } from "../../domain/ids.ts";
import { NO_NODE } from "../../domain/node.ts";
import { pruneSnapshotsJob } from "../../domain/prune-jobs.ts";
import { checkVisible, isInMemories } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { SnapshotPart, SnapshotRoot } from "../../workspace/snapshots/records.ts";
import { isSnapshotVisible, snapshotOwners } from "../../workspace/snapshots/visible-snapshots.ts";
import { foldersOf, locate, partitionOwner, SHARED } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import type { SnapshotDeps } from "./own-snapshots.ts";
import { type SnapshotView, viewBy } from "./snapshot-view.ts";

const MAX_DESCRIPTION_LENGTH = 1000;
/** One user may create this fraction (1/4) of the shared snapshots. */
const USERS_SHARE = 4;
const MAX_SECONDS = 3650 * 24 * 3600;

type NewPart = Omit<SnapshotPart, "number">;

/**
 * POST snapshots: names the current state of a folder, or of everything that the caller owns or can share.
 * Writes one record; later changes preserve the replaced entries.
 */
export async function createSnapshot(
  { tenants, queue }: SnapshotDeps,
  call: ServiceCall,
  input: {
    readonly name: string;
    readonly uri?: string | undefined;
    readonly description?: string | undefined;
    readonly expiresInSeconds?: number | undefined;
  },
): Promise<SnapshotView> {
  const { name, description, expiresInSeconds: life } = input;
  if (!isIdentifier(name))
    throw invalidArgument(
      "name",
      `${JSON.stringify(name)} is not a valid name: use 1 to 64 of A-Z a-z 0-9 _ . @ -, starting with a letter or digit`,
    );
  if (description !== undefined && description.length > MAX_DESCRIPTION_LENGTH)
    throw invalidArgument("description", `must have at most ${MAX_DESCRIPTION_LENGTH} characters`);
  if (life !== undefined && !(life >= 1 && life <= MAX_SECONDS))
    throw invalidArgument("expires_in_seconds", `must be 1 to ${MAX_SECONDS}`);
  const tenant = await tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const path = input.uri === undefined ? [] : workspace.uris.parse(input.uri);
  const created = await workspace.transact((draft) => {
    const parts = partsOf(draft, tenant, path);
    const of = parts.some((part) => part.owner === SHARED) ? SHARED : owner.user;
    checkFree(tenant, of, name, call.caller.role !== "user");
    const now = workspace.clock();
    const expires = life === undefined ? undefined : now + life * 1000;
    const about = {
      owner: of,
      name,
      path,
      parts,
      created: now,
      ...(expires !== undefined && { expires }),
      ...(owner.author !== undefined && { by: owner.author }),
      ...(description !== undefined && { description: description.toWellFormed() }),
    };
    const snapshot = workspace.snapshots.create(draft, about);
    if (expires !== undefined) queue.enqueue(draft, pruneSnapshotsJob(workspace.incarnation, expires));
    call.keepAnswer?.(draft, viewBy(tenant, snapshot, call.caller.user));
    return () => snapshot;
  });
  return viewBy(tenant, created, call.caller.user);
}

function checkFree(tenant: Tenant, of: string, name: string, isAdministrator: boolean): void {
  const { snapshots, limits } = tenant.workspace;
  for (const one of snapshotOwners(tenant)) {
    const found = snapshots.find(one, name);
    // a snapshot that the caller cannot see blocks the name only if it has the same owner
    if (found && (one === of || isSnapshotVisible(tenant, found))) throw alreadyExists("snapshot", name);
  }
  const known = snapshots.of(of);
  const isOne = of === SHARED && !isAdministrator;
  const { author } = tenant.owner;
  const own = isOne ? known.filter(({ by }) => by === author).length : 0;
  // one user must not use up the shared snapshots of all
  const share = Math.ceil(limits.snapshots / USERS_SHARE);
  if (known.length < limits.snapshots && (!isOne || own < share)) return;
  const isFull = known.length >= limits.snapshots;
  const [used, limit] = isFull ? [known.length, limits.snapshots] : [own, share];
  const whose =
    of !== SHARED ? "of your own spaces" : `of shared folders${isFull ? "" : " that you created"}`;
  const reason = `there are ${used} snapshots ${whose}; the limit is ${limit} (CTXDB_SNAPSHOTS)`;
  throw new ServiceError("RESOURCE_EXHAUSTED", `snapshots: ${reason}; first delete some`, {
    resource: "snapshots",
    reason,
    used,
    limit,
  });
}

/** The folders that a snapshot of a path covers. Throws unless the caller may write them. */
function partsOf(reader: KvReader, tenant: Tenant, path: Path): NewPart[] {
  const { workspace, owner } = tenant;
  if (path.length === 0) return wholeOf(reader, tenant);
  const uri = workspace.uris.format(path);
  checkVisible(owner, path, uri);
  if (path[0] === "session" || isInMemories(path))
    throw failedPrecondition(
      uri,
      "sessions and memories are not part of snapshots, so that forgetting is final",
    );
  if (path.length === 1 && path[0] !== "resources")
    throw failedPrecondition(uri, "name a folder in it, or leave out the URI for the whole workspace");
  const of = partitionOwner(owner, path);
  const found = locate(reader, workspace.keys, owner, path);
  if (found?.kind === "file") throw failedPrecondition(uri, "it is a file; take a snapshot of its folder");
  if (of !== SHARED && of !== owner.user)
    throw permissionDenied(uri, "only its owner can take snapshots of a private space");
  if (!found || found.node === NO_NODE)
    throw new ServiceError("NOT_FOUND", `resource not found: ${uri}`, { resource: uri, type: "resource" });
  owner.access?.checkWhole(path, uri, found.node);
  owner.access?.check(path, uri, "write");
  const folders = foldersOf(reader, workspace.keys, owner, path);
  return [{ owner: of, roots: [{ node: found.node, path, folders }] }];
}

/** The shared folders, and the caller's own spaces. */
function wholeOf(reader: KvReader, { workspace, owner }: Tenant): NewPart[] {
  const rootAt = (path: Path): SnapshotRoot | undefined => {
    const found = locate(reader, workspace.keys, owner, path);
    return found && found.node !== NO_NODE ? { node: found.node, path } : undefined;
  };
  const shared: Path[] = [["resources"], ["agent", "skills"]];
  for (const path of shared) {
    const uri = workspace.uris.format(path);
    const node = rootAt(path)?.node ?? NO_NODE;
    owner.access?.checkWhole(path, uri, node);
    owner.access?.check(path, uri, "write");
  }
  const own: Path[] = [
    ["user", owner.user],
    ["agent", owner.agent],
  ];
  const paths = [...shared, ...own];
  const parts = new Map<string, SnapshotRoot[]>();
  for (const path of paths) {
    const root = rootAt(path);
    const of = partitionOwner(owner, path);
    if (root) parts.set(of, [...(parts.get(of) ?? []), root]);
  }
  return [...parts].map(([of, roots]) => ({ owner: of, roots }));
}
