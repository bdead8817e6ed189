import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { prefixRange } from "../../../src/storage/kv.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { eraseIncarnation } from "../../../src/workspace/removal/erase.ts";

const RECORDS = 2000;
const LONG = "x".repeat(4000);
const never = new AbortController().signal;

it("a deleted workspace is erased although its keys contain long paths", async () => {
  const kv = new RamKv();
  const ops = Array.from({ length: RECORDS }, (_, i) => ({
    key: `w/0000001/r/o/u${LONG}${i}`,
    value: new Uint8Array(),
  }));
  await kv.transact(() => ({ ops, apply: () => undefined }), { maxBytes: Number.POSITIVE_INFINITY });
  await eraseIncarnation(kv, workspaceId(1), never);
  expect(await kv.keys(prefixRange("w/", 1))).toEqual([]);
  await kv.close();
});
