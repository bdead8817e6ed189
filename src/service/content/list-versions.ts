import { invalidArgument } from "../../domain/errors.ts";
import type { UserIncarnation, WorkspaceId } from "../../domain/ids.ts";
import type { Entry } from "../../domain/node.ts";
import { versionOf } from "../../workspace/tree/versions.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { inVersion, versionedAt } from "./readable-file.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

interface VersionView {
  version: number;
  isCurrent: boolean;
  /** Size in bytes. */
  size: number;
  etag: string;
  /** ISO 8601, UTC. */
  modified: string;
  user?: string;
  change?: string;
}

interface ListedVersions {
  versions: VersionView[];
  total: number;
  nextCursor?: string;
}

/** GET content/history: the stored versions of a file, newest first. */
export async function listVersions(
  deps: { readonly tenants: Tenants; readonly cursors: Cursors },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  },
): Promise<ListedVersions> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const { workspace, entry, uri } = await versionedAt(deps, call, input.uri);
  const list = {
    operation: "versions",
    caller: call.caller,
    incarnation: workspace.incarnation,
    args: [entry.node],
  };
  const current = versionOf(entry);
  const first = entry.history?.first ?? current;
  const from = Number(deps.cursors.open(list, input.cursor) ?? current);
  const found: Entry[] = [];
  for (let version = from; version >= first && found.length < limit; version--)
    found.push(inVersion(workspace, entry, uri, version));
  const nameOf = await namesOf(deps.tenants, workspace.incarnation, found);
  const versions = found.map((one) => viewOf(one, nameOf(one), versionOf(one) === current));
  const page = { versions, total: current - first + 1 };
  const next = from - limit;
  return next >= first ? { ...page, nextCursor: deps.cursors.seal(list, String(next)) } : page;
}

/** Names of the authors of versions; removed users have none. */
async function namesOf(
  tenants: Tenants,
  incarnation: WorkspaceId,
  versions: readonly Entry[],
): Promise<(version: Entry) => string | undefined> {
  const wanted = new Set<UserIncarnation>();
  for (const { by } of versions) if (typeof by === "number") wanted.add(by);
  const names = wanted.size > 0 ? await tenants.userNames(incarnation, wanted) : undefined;
  return ({ by }) => (typeof by === "number" ? names?.get(by) : by);
}

function viewOf(entry: Entry, user: string | undefined, isCurrent: boolean): VersionView {
  const { size, hash = "", modified, change } = entry;
  return {
    version: versionOf(entry),
    isCurrent,
    size,
    etag: hash,
    modified: new Date(modified).toISOString(),
    ...(user !== undefined && { user }),
    ...(change && { change }),
  };
}
