import { describe, expect, it } from "vitest";
import { accountKeys, USER_RECORDS } from "../../../src/accounts/account-records.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { JOBS } from "../../../src/jobs/job-records.ts";
import { DamagedRecord, encodeRecord, NUMBERS } from "../../../src/storage/record-codec.ts";
import { ENTRIES, MESSAGES, NODE_RECORDS } from "../../../src/workspace/records.ts";
import { SESSION_RECORDS } from "../../../src/workspace/sessions/records.ts";

const ENTRY = { node: 17, kind: "file", generation: 3, size: 5, created: 1, modified: 2 };

describe("stored records", () => {
  it("stored records decode to the values that were encoded", () => {
    expect(ENTRIES.decode(encodeRecord(ENTRY))).toEqual({ ...ENTRY, node: nodeId(17) });
    expect(NUMBERS.decode(encodeRecord(4096))).toBe(4096);
    expect(USER_RECORDS.read({ get: () => undefined }, accountKeys.key("x"))).toBeUndefined();
  });

  it("a stored record is decoded once while its bytes stay the same", () => {
    let bytes = encodeRecord(ENTRY);
    const reader = { get: (key: string) => (key === "e" ? bytes : undefined) };
    const first = ENTRIES.readShared(reader, "e");
    expect(first).toEqual(ENTRIES.read(reader, "e"));
    expect(ENTRIES.readShared(reader, "e")).toBe(first);
    bytes = encodeRecord({ ...ENTRY, size: 6 });
    expect(ENTRIES.readShared(reader, "e")?.size).toBe(6);
    bytes = encodeRecord({ ...ENTRY, size: "6" });
    expect(() => ENTRIES.readShared(reader, "e")).toThrow(DamagedRecord);
    expect(ENTRIES.readShared(reader, "no such key")).toBeUndefined();
  });

  it("a truncated or incomplete record is refused with its key and kind", () => {
    const whole = Buffer.from(JSON.stringify(ENTRY));
    for (let end = 0; end < whole.length; end++)
      expect(() => ENTRIES.decode(whole.subarray(0, end), "w/1/e/2/a")).toThrow(
        /^record w\/1\/e\/2\/a: its value is not a valid entry; check the whole data directory with `ctxdb verify`/,
      );
    for (const field of Object.keys(ENTRY))
      expect(() => ENTRIES.decode(encodeRecord({ ...ENTRY, [field]: undefined }))).toThrow(DamagedRecord);
  });

  it("a record with a field of another type is refused, and one with newer fields is not", () => {
    expect(ENTRIES.decode(encodeRecord({ ...ENTRY, later: true }))).toMatchObject(ENTRY);
    const others: [{ decode(bytes: Uint8Array): unknown }, unknown][] = [
      [ENTRIES, { ...ENTRY, kind: "link" }],
      [ENTRIES, { ...ENTRY, chunks: { partition: 1, first: "0", count: 1 } }],
      [ENTRIES, [ENTRY]],
      [ENTRIES, null],
      [NODE_RECORDS, { directory: 1, name: 2 }],
      [MESSAGES, { id: "m", role: "judge", parts: [], created_at: "" }],
      [USER_RECORDS, { role: "root", createdAt: 0, keyHash: "" }],
      [SESSION_RECORDS, {}],
      [JOBS, { queue: "other" }],
      [NUMBERS, "7"],
    ];
    for (const [kind, value] of others)
      expect(() => kind.decode(encodeRecord(value)), JSON.stringify(value)).toThrow(DamagedRecord);
  });
});
