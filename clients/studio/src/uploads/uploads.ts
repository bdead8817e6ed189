import { useSyncExternalStore } from "react";
import { client, codeOf, messageOf } from "../api/client.ts";
import { refreshTree } from "../api/filesystem.ts";
import { queryClient } from "../api/query-client.ts";
import { watchTask } from "../api/tasks.ts";
import { onOtherCaller } from "../identity/identity.ts";
import type { Dropped } from "./dropped.ts";
import { sendFile } from "./send-file.ts";

/** An upload in progress or finished. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly stage: "packing" | "sending" | "reading" | "layers" | "done" | "failed" | "cancelled";
  /** Progress of the current stage, 0 to 1. */
  readonly progress: number;
  /** URI of the imported content, once known. */
  readonly uri?: string;
  readonly error?: string;
  readonly warnings: readonly string[];
}

/** What to do with an upload that has reached the server. */
type Placing =
  | { readonly kind: "resource"; readonly parent: string }
  | { readonly kind: "pack"; readonly parent: string };

const listeners = new Set<() => void>();
const cancels = new Map<number, AbortController>();
let uploads: readonly Upload[] = [];
let lastId = 0;

function set(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

const change = (id: number, how: Partial<Upload>): void =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...how } : upload)));

export const cancelUpload = (id: number): void => cancels.get(id)?.abort();
export const clearUploads = (): void =>
  set(uploads.filter(({ stage }) => stage !== "done" && stage !== "failed" && stage !== "cancelled"));

onOtherCaller(() => {
  for (const cancel of cancels.values()) cancel.abort();
  set([]);
});

/** Uploads and imports the dropped items one at a time. */
export async function startUploads(dropped: readonly Dropped[], placing: Placing): Promise<void> {
  const queued = dropped.map((item) => {
    const id = ++lastId;
    cancels.set(id, new AbortController());
    return { id, item };
  });
  set([
    ...uploads,
    ...queued.map(({ id, item }) => ({
      id,
      name: item.name,
      stage: "packing" as const,
      progress: 0,
      warnings: [],
    })),
  ]);
  for (const { id, item } of queued) await run(id, item, placing);
}

async function run(id: number, item: Dropped, placing: Placing): Promise<void> {
  const signal = cancels.get(id)?.signal ?? new AbortController().signal;
  try {
    const blob = await packed(item, signal);
    const name = item.kind === "file" ? item.name : `${item.name}.zip`;
    change(id, { stage: "sending" });
    const tempPath = await sendFile(blob, name, signal, (sent) =>
      change(id, { progress: blob.size === 0 ? 1 : sent / blob.size }),
    );
    change(id, { stage: "reading", progress: 0 });
    if (placing.kind === "pack") await importPack(id, tempPath, placing.parent);
    else await addResource(id, tempPath, name, placing.parent, signal);
    change(id, { stage: "done", progress: 1 });
  } catch (thrown) {
    const cancelled = signal.aborted || codeOf(thrown) === "CANCELLED";
    change(id, cancelled ? { stage: "cancelled" } : { stage: "failed", error: messageOf(thrown) });
  } finally {
    cancels.delete(id);
    await refreshTree();
  }
}

async function packed(item: Dropped, signal: AbortSignal): Promise<Blob> {
  if (item.kind === "file") return item.file;
  if (item.files.length === 0) throw new Error(`${item.name} holds no files`);
  const { zipFolder } = await import("./zip-folder.ts");
  return zipFolder(item.name, item.files, signal);
}

async function importPack(id: number, tempPath: string, parent: string): Promise<void> {
  const { uri } = await client().packs.import({ tempPath, parent });
  change(id, { uri });
}

async function addResource(
  id: number,
  tempPath: string,
  sourceName: string,
  parent: string,
  signal: AbortSignal,
): Promise<void> {
  // unreadable files are reported as warnings, so that one does not fail a whole folder
  const { rootUri, taskId, warnings, errors } = await client().resources.add({
    tempPath,
    parent,
    sourceName,
    strict: false,
  });
  change(id, { uri: rootUri, warnings: [...errors, ...warnings] });
  await refreshTree();
  if (taskId === undefined) return;
  await queryClient.invalidateQueries({ queryKey: ["tasks"] });
  for await (const task of watchTask(taskId, signal)) {
    const { done = 0, total = 0 } = task.progress ?? {};
    if (task.status === "failed") throw new Error(task.error?.message ?? "the import has failed");
    change(id, {
      stage: task.stage === "layers" ? "layers" : "reading",
      progress: total === 0 ? 0 : done / total,
    });
  }
}

export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
