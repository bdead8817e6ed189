import { append } from "../../base/append.ts";
import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { checkRemovable } from "../../domain/scope.ts";
import { isInside, type Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { PendingCleanup } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import { enqueueDirectoryLayers, purgeJobs } from "../after-change.ts";
import { checkDistinct, type ListedItem, namingItem } from "../refused-item.ts";
import { type Removed, takeOutLocated, trashIdIn } from "../remove-located.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { removableAt } from "./remove-node.ts";

/** Name of the list in the request. */
const LIST = "uris";
/** Maximum number of URIs per call. */
export const MAX_URIS_REMOVED = 500;

export interface RemovedNode extends Removed {
  readonly uri: string;
}

export interface RemovedNodes {
  readonly nodes: RemovedNode[];
  /** Number of visible files and directories removed in total. */
  readonly deleted: number;
}

/** A checked URI of the request. */
interface Asked extends ListedItem {
  readonly path: Path;
  /** The topmost listed folder that contains it; undefined if there is none. */
  readonly top: Asked | undefined;
}

interface Input {
  readonly uris: readonly string[];
  readonly recursive: boolean;
  readonly permanent: boolean;
}

/**
 * POST fs/delete_many: removes several files and folders in one transaction, either all or none. A URI below
 * another listed URI is removed with it.
 */
export async function removeNodes(
  deps: { tenants: Tenants; queue: JobQueue },
  call: ServiceCall,
  input: Input,
): Promise<RemovedNodes> {
  if (input.uris.length > MAX_URIS_REMOVED)
    throw invalidArgument(
      LIST,
      `has ${input.uris.length} URIs; the limit is ${MAX_URIS_REMOVED}: delete them in several calls`,
    );
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace } = tenant;
  const named: Omit<Asked, "top">[] = [];
  const yielder = new EventLoopYielder(workspace.incarnation);
  for (const [index, uri] of input.uris.entries()) {
    named.push(namingItem({ list: LIST, index, uri }, () => askedOf(tenant, uri, index)));
    await yielder.yieldIfDue();
  }
  const asked = withTops(named);
  checkDistinct(asked);
  let cleanup: PendingCleanup = { purge: [], stale: [] };
  const removed = new Map<Asked, Removed>();
  const prepare = function* (draft: WorkspaceDraft): Generator<void> {
    draft.isBeyondQuota = true;
    cleanup = { purge: [], stale: [] };
    for (const one of asked) {
      namingItem(one, () => removableAt(draft, tenant, one.path, one.uri, input.recursive));
      yield;
    }
    for (const one of asked) {
      if (one.top) continue;
      removed.set(one, removeOne(draft, tenant, one, input, cleanup));
      yield;
    }
    for (const job of purgeJobs(workspace, cleanup)) {
      deps.queue.enqueue(draft, job);
      yield;
    }
  };
  return workspace.transactLarge(prepare, (draft) => {
    enqueueDirectoryLayers(draft, deps.queue, workspace, cleanup, []);
    const answer = answerOf(asked, removed);
    call.keepAnswer?.(draft, answer);
    return () => answer;
  });
}

function askedOf({ workspace: { uris }, owner }: Tenant, text: string, index: number): Omit<Asked, "top"> {
  const path = uris.parse(text);
  const uri = uris.format(path);
  checkRemovable(owner, path, uri, "uri");
  return { list: LIST, index, path, uri };
}

/** in URI order a folder precedes its contents, so one pass finds the topmost folders */
function withTops(asked: readonly Omit<Asked, "top">[]): Asked[] {
  const found: Asked[] = [];
  let top: Asked | undefined;
  for (const one of [...asked].sort((a, b) => comparePlaces(a.path, b.path))) {
    const isBelow = top !== undefined && one.path.length > top.path.length && isInside(one.path, top.path);
    const made: Asked = { ...one, top: isBelow ? top : undefined };
    if (!isBelow) top = made;
    found[one.index] = made;
  }
  return found;
}

/** Compares segment by segment, because `a-b` sorts before `a/b` as text. */
function comparePlaces(a: Path, b: Path): number {
  const at = a.findIndex((name, i) => name !== b[i]);
  if (at < 0) return a.length - b.length;
  const [one = "", other = ""] = [a[at], b[at]];
  return one < other ? -1 : 1;
}

function removeOne(
  draft: WorkspaceDraft,
  tenant: Tenant,
  one: Asked,
  { permanent }: Input,
  into: PendingCleanup,
): Removed {
  const { workspace, owner } = tenant;
  // locate it again: earlier removals may have changed the entry
  const located = removableAt(draft, tenant, one.path, one.uri, true);
  const { cleanup, count } = takeOutLocated(draft, workspace, located, { owner, isPermanent: permanent });
  append(into.purge, cleanup.purge);
  append(into.stale, cleanup.stale);
  return { deleted: count(), ...trashIdIn(workspace, cleanup) };
}

function answerOf(asked: readonly Asked[], removed: ReadonlyMap<Asked, Removed>): RemovedNodes {
  const nodes = asked.map((one) => {
    const { deleted = 0, trashId } = removed.get(one.top ?? one) ?? {};
    return {
      uri: one.uri,
      deleted: one.top ? 0 : deleted,
      ...(trashId !== undefined && { trashId }),
    };
  });
  return { nodes, deleted: nodes.reduce((sum, { deleted }) => sum + deleted, 0) };
}
