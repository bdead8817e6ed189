import { includes } from "../../domain/access.ts";
import { invalidArgument, permissionDenied } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Snapshot } from "../../workspace/snapshots/snapshots.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ListSubject } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";

export interface SnapshotDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
}

/** Throws PERMISSION_DENIED unless the caller created the snapshot or administers its folder. */
export function checkOwn({ workspace, owner }: Tenant, { owner: of, by, path, name }: Snapshot): void {
  if (of === owner.user || (by !== undefined && by === owner.author)) return;
  const at: Path = path.length === 0 ? ["resources"] : path;
  if (owner.access && !includes(owner.access.levelAt(at), "admin"))
    throw permissionDenied(
      workspace.uris.format(path),
      `the snapshot ${name} can be deleted only by its creator and by administrators of the folder`,
    );
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Validates the page size. Throws INVALID_ARGUMENT. */
export function pageSize(limit = DEFAULT_LIMIT): number {
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  return limit;
}

/**
 * A page of a list of paths; if more items follow, also its last path. Items with the same path, such as a
 * removed node and its replacement, stay on one page.
 */
export async function firstOf<T extends { readonly path: Path }>(
  items: AsyncIterable<T>,
  limit: number,
): Promise<{ readonly page: readonly T[]; readonly last: Path | undefined }> {
  const page: T[] = [];
  for await (const item of items) {
    const last = page.at(-1)?.path;
    if (page.length >= limit && last?.join("/") !== item.path.join("/")) return { page, last };
    page.push(item);
  }
  return { page, last: undefined };
}

/** The identity of a list, to which its cursors are bound. */
export const listOf = (
  { caller }: ServiceCall,
  { incarnation }: Workspace,
  operation: string,
  args: ListSubject["args"],
): ListSubject => ({ operation, caller, incarnation, args });
