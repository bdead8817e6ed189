import type { WorkspaceId } from "../../domain/ids.ts";
import { type NodeId, nodeId } from "../../domain/node.ts";
import { Draft } from "../../storage/draft.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Keys } from "../keys.ts";
import { SCHEDULES, type ScheduleRecord } from "./records.ts";

const PAGE = 64;
/** Without fsync: if the machine loses the write, a run is merely repeated. */
const NOT_SYNCED = { sync: false };

/** Identifies the schedule of a resource by its root. */
export interface ScheduleRef {
  readonly workspace: WorkspaceId;
  readonly node: NodeId;
}

export interface StoredSchedule {
  readonly node: NodeId;
  readonly record: ScheduleRecord;
}

export const readSchedule = (
  read: Pick<KvReader, "get">,
  { workspace, node }: ScheduleRef,
): ScheduleRecord | undefined => SCHEDULES.read(read, new Keys(workspace).schedule(node));

/** All schedules of a workspace, by node. */
export async function listSchedules(kv: Kv, workspace: WorkspaceId): Promise<StoredSchedule[]> {
  const found: StoredSchedule[] = [];
  for await (const page of pairPages(kv, prefixRange(new Keys(workspace).allSchedules(), PAGE)))
    for (const [key, value] of page)
      found.push({ node: nodeId(lastNumber(key)), record: SCHEDULES.decode(value, key) });
  return found;
}

export function putSchedule(draft: Draft, { workspace, node }: ScheduleRef, record: ScheduleRecord): void {
  draft.put(new Keys(workspace).schedule(node), encodeRecord(record));
}

/**
 * Changes a schedule on behalf of the server, and returns the stored record. Writes nothing if the schedule
 * was deleted, even for work in progress.
 */
export function changeSchedule(
  kv: Kv,
  ref: ScheduleRef,
  change: (record: ScheduleRecord) => ScheduleRecord,
): Promise<ScheduleRecord | undefined> {
  return kv.transact((read) => {
    const draft = new Draft(read);
    const record = readSchedule(draft, ref);
    if (record) putSchedule(draft, ref, change(record));
    return draft.toChange(() => readSchedule(kv, ref));
  }, NOT_SYNCED);
}
