import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { GroupKv } from "../../../src/storage/group-kv.ts";
import { LevelFile } from "../../../src/storage/level/level-file.ts";
import type { NextVersion } from "../../../src/storage/postgres/committer.ts";
import { LocalCopy } from "../../../src/storage/postgres/local-copy.ts";
import { markOfLoad, SharedPlace } from "../../../src/storage/postgres/shared-place.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const W = workspaceId(7);
const KEY = "au/0000007/ann";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let place: SharedPlace;
let kv: GroupKv;
let committed: NextVersion[];
/** Holds up the next commit. */
let held: Promise<void> | undefined;
let began: () => void;
/** Resolves once a commit has begun, which is after the next transactions were decided. */
let isCommitting: Promise<void>;
beforeEach(async () => {
  folder = await temporaryFolder();
  committed = [];
  held = undefined;
  began = () => undefined;
  const commit = async (changes: readonly NextVersion[]) => {
    began();
    await held;
    committed.push(...changes);
  };
  const copy = new LocalCopy(await LevelFile.open(join(folder.path, "copy"), silentLog));
  place = new SharedPlace({ copy, committer: { commit }, store: () => "s/1", onLost: () => undefined });
  kv = new GroupKv(place, silentLog);
  place.hold(W, 1, { version: 0, written: "" });
  await put("1");
});
afterEach(() => kv.close().then(folder.remove));

const put = (value: string, key = KEY) =>
  kv.transact(() => ({ ops: [{ key, value: Buffer.from(value) }], apply: () => undefined }));
const text = () => Buffer.from(kv.get(KEY) ?? []).toString();

it("a change that waited while its workspace was lost is refused while the workspace is loaded again", async () => {
  place.release(W);
  place.load(W);
  await expect(put("2")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(text()).toBe("1");
  const rows = [{ key: KEY, value: Buffer.from("3") }, markOfLoad(W)];
  await kv.transact(() => ({ ops: rows, apply: () => undefined }));
  expect(text()).toBe("3");
  expect(committed).toHaveLength(1);
});

it("a change decided before its workspace was lost is not written after the workspace was taken again", async () => {
  let go: () => void = () => undefined;
  held = new Promise((resolve) => (go = resolve));
  isCommitting = new Promise((resolve) => (began = resolve));
  const first = put("2");
  // a key of the directory is written alone, so that this one is decided now and written later
  const carried = kv.transact(() => ({
    ops: [
      { key: KEY, value: Buffer.from("late") },
      { key: "k/0", value: Buffer.from("{}") },
    ],
    apply: () => undefined,
  }));
  await isCommitting;
  place.release(W);
  place.hold(W, 2, { version: 9, written: "other" });
  go();
  await first.catch(() => undefined);
  await expect(carried).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
