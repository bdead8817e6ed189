import { expect, it } from "vitest";
import { joinInTurns, utf8InTurns } from "../../../src/ingest/large-bytes.ts";

it("long texts and many parts are encoded in steps, to the same bytes as at once", async () => {
  const text = `${"a".repeat(1024 * 1024 - 1)}\u{1f600}${"\u00e9".repeat(3_000_000)}`;
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const bytes = await utf8InTurns(text);
  const joined = await joinInTurns([bytes, bytes.subarray(0, 3), Buffer.alloc(0), bytes]);
  isDone = true;
  expect(bytes.equals(Buffer.from(text))).toBe(true);
  expect(joined.equals(Buffer.concat([bytes, bytes.subarray(0, 3), bytes]))).toBe(true);
  expect(turns).toBeGreaterThan(0);
});
