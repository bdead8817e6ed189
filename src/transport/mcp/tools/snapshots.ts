import { z } from "zod";
import { SnapshotService } from "../../../../gen/ctxdb/v1/snapshot_pb.ts";
import type { OperationInvoker } from "../operation-invoker.ts";
import { dataTool, type Tool } from "../tool.ts";
import { cursorArgument, uriArgument } from "./arguments.ts";

const METHODS = SnapshotService.method;

const snapshot = dataTool({
  name: "snapshot",
  title: "Take a restore point, compare with it, or go back to it",
  description:
    "Names the state of a folder with create, before a large change; nothing is copied. diff lists what changed since, restore makes the folder as it was: " +
    "changed files get a new version, and files added since go to the trash. Without any of them it lists the snapshots. Memories and sessions are not part of a snapshot.",
  effect: "changes",
  input: {
    create: z.string().min(1).optional().describe("Name of a new snapshot: letters, digits and _ . @ -."),
    diff: z.string().min(1).optional().describe("Name of a snapshot to compare with the present."),
    restore: z.string().min(1).optional().describe("Name of a snapshot to go back to."),
    uri: uriArgument("With create: the folder. With diff and restore: a part of it").optional(),
    limit: z.int().min(1).max(100).default(20).describe("Maximum number of snapshots or differences."),
    cursor: cursorArgument,
  },
  output: {
    snapshots: z
      .array(z.object({ name: z.string(), uri: z.string(), created_at: z.string() }))
      .optional()
      .describe("The new snapshot, or the list of them."),
    differences: z
      .array(
        z.object({ kind: z.string(), uri: z.string(), type: z.string(), moved_from: z.string().optional() }),
      )
      .optional()
      .describe("With diff: what was added, removed, changed or moved since."),
    restored: z.int().optional().describe("With restore: number of files and folders that are as they were."),
    trashed: z.int().optional().describe("With restore: number of items that went to the trash."),
    task_id: z.string().optional().describe("With restore: the task that makes many changes."),
    next_cursor: z.string().optional(),
  },
  run: async (asker, { create, diff, restore, uri, limit, cursor }) => {
    if (create !== undefined) {
      const made = await asker.ask(METHODS.createSnapshot, { name: create, ...(uri && { uri }) });
      return {
        text: `Created the snapshot ${made.name} of ${made.uri}.`,
        data: { snapshots: [viewOf(made)] },
      };
    }
    if (restore !== undefined) return restored(asker, restore, uri);
    if (diff !== undefined) {
      const asked = { name: diff, limit, ...(uri && { uri }), ...(cursor && { cursor }) };
      const page = await asker.ask(METHODS.diffSnapshots, asked);
      const differences = page.differences.map(({ kind, uri: at, type, movedFrom }) => ({
        kind,
        uri: at,
        type,
        ...(movedFrom !== undefined && { moved_from: movedFrom }),
      }));
      const lines = differences.map(({ kind, uri: at, moved_from: from }) =>
        from === undefined ? `${kind}\t${at}` : `${kind}\t${at}\tfrom ${from}`,
      );
      return paged(lines, "[nothing has changed]", { differences }, page.nextCursor);
    }
    const page = await asker.ask(METHODS.listSnapshots, { limit, ...(cursor && { cursor }) });
    const snapshots = page.snapshots.map(viewOf);
    const lines = snapshots.map((one) => `${one.name}\t${one.uri}\t${one.created_at}`);
    return paged(lines, "[no snapshots]", { snapshots }, page.nextCursor);
  },
});

const viewOf = ({ name, uri, createdAt }: { name: string; uri: string; createdAt: string }) => ({
  name,
  uri,
  created_at: createdAt,
});

function paged<T extends object>(lines: string[], none: string, data: T, next: string | undefined) {
  if (next !== undefined) lines.push(`[continue with cursor ${next}]`);
  return {
    text: lines.join("\n") || none,
    data: { ...data, ...(next !== undefined && { next_cursor: next }) },
  };
}

async function restored(asker: OperationInvoker, name: string, part: string | undefined) {
  const done = await asker.ask(METHODS.restoreSnapshot, { name, ...(part && { uri: part }) });
  const { uri, restored: count, trashed, taskId } = done;
  if (taskId !== undefined)
    return {
      text: `Restoring ${uri} as the task ${taskId}: wait for it with the tool tasks.`,
      data: { task_id: taskId },
    };
  return {
    text: `Restored ${uri}: ${count ?? 0} files and folders are as they were, ${trashed ?? 0} added ones went to the trash.`,
    data: { restored: count ?? 0, trashed: trashed ?? 0 },
  };
}

export const snapshotTools: readonly Tool[] = [snapshot];
