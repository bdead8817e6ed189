import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { WorkspaceId } from "../../../src/domain/ids.ts";
import { LevelFile } from "../../../src/storage/level/level-file.ts";
import { openShared, type SharedStores } from "../../../src/storage/postgres/open.ts";
import type { Stores } from "../../../src/storage/stores.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { writeAll } from "./kv.ts";

const ALL = { gte: "", lt: "\u{10ffff}", limit: 10_000 };

/** A server of a store, without anything above its storage. */
export interface MemberServer {
  readonly stores: Stores;
  readonly members: SharedStores["members"];
  readonly handOvers: SharedStores["handOvers"];
  readonly events: string[];
  /** Resolves once the holder has been informed. */
  readonly heard: (event: string) => Promise<void>;
  /** Ends it but keeps its local copy. */
  readonly end: () => Promise<void>;
  readonly folder: string;
}

interface Options {
  readonly url: string;
  readonly name: string;
  readonly leaseMs: number;
  /** With the copy of an earlier server. */
  readonly folder?: string;
  /** Errors of the next attempts to adopt a workspace; the last one comes first. */
  readonly failures?: Error[];
}

export async function startMember(options: Options): Promise<MemberServer> {
  const { url, name, leaseMs, folder, failures } = options;
  const made = folder === undefined ? await temporaryFolder() : undefined;
  const place = folder ?? made?.path ?? "";
  const copy = await LevelFile.open(join(place, "copy"), silentLog);
  const { stores, members, handOvers, close } = await openShared({
    url,
    memberUrl: `http://${name}`,
    leaseMs,
    copy,
    clock: Date.now,
    log: silentLog,
  });
  const events: string[] = [];
  const waiting = new Map<string, () => void>();
  const note = (event: string) => {
    events.push(event);
    waiting.get(event)?.();
  };
  const held = await stores.start({
    adopt: async (of) => {
      note(`adopt ${of}`);
      const failure = failures?.pop();
      if (failure) throw failure;
    },
    resume: async (of) => note(`resume ${of}`),
    leave: async (of) => note(`leave ${of}`),
    drop: (of) => note(`drop ${of}`),
  });
  for (const of of held) note(`resume ${of}`);
  let isOpen = true;
  const end = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(async () => {
    await end();
    await made?.remove();
  });
  const heard = (event: string) =>
    events.includes(event) ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(event, resolve));
  return { stores, members, handOvers, events, heard, end, folder: place };
}

export const keyOf = (workspace: WorkspaceId, name: string) =>
  `w/${workspace.toString(36).padStart(7, "0")}/${name}`;

export const put = ({ stores }: MemberServer, workspace: WorkspaceId, name: string, value: string) =>
  writeAll(stores.kv, { key: keyOf(workspace, name), value: Buffer.from(value) });

export const read = ({ stores }: MemberServer, workspace: WorkspaceId, name: string) =>
  stores.kv.get(keyOf(workspace, name))?.toString();

export const records = ({ stores }: MemberServer) => stores.kv.texts(ALL);
