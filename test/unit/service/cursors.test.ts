import { describe, expect, it } from "vitest";
import { cursorKey } from "../../../src/accounts/cursor-key.ts";
import type { Caller } from "../../../src/domain/caller.ts";
import { CURSOR_KEY_BYTES } from "../../../src/domain/cursor.ts";
import { accountId, userIncarnation, workspaceId } from "../../../src/domain/ids.ts";
import { Cursors, type ListSubject } from "../../../src/service/cursors.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";

const HOUR_MS = 3600_000;
const CALLER: Caller = {
  role: "user",
  account: accountId("acme"),
  user: "ann",
  agent: "default",
  accountNamed: false,
  keyless: false,
};
const LIST: ListSubject = {
  operation: "ls",
  caller: CALLER,
  incarnation: workspaceId(3),
  args: ["ctx://resources", 1, false],
};

/** Every list that differs from LIST in one part. */
const OTHERS: Record<string, ListSubject> = {
  operation: { ...LIST, operation: "tree" },
  incarnation: { ...LIST, incarnation: workspaceId(4) },
  account: { ...LIST, caller: { ...CALLER, account: accountId("other") } },
  user: { ...LIST, caller: { ...CALLER, user: "bob" } },
  "incarnation of the user": { ...LIST, caller: { ...CALLER, userIncarnation: userIncarnation(1) } },
  role: { ...LIST, caller: { ...CALLER, role: "admin" } },
  agent: { ...LIST, caller: { ...CALLER, agent: "helper" } },
  argument: { ...LIST, args: ["ctx://resources", 1, true] },
  "order of arguments": { ...LIST, args: [1, "ctx://resources", false] },
  "type of an argument": { ...LIST, args: ["ctx://resources", "1", false] },
  "border between arguments": { ...LIST, args: ["ctx://resources,1", false] },
  "no arguments": { ...LIST, args: [] },
};

describe("the cursors of a server", () => {
  it.each(Object.entries(OTHERS))("a cursor is refused for another %s", (_, other) => {
    const cursors = new Cursors(Buffer.alloc(CURSOR_KEY_BYTES, "k"), () => 0);
    expect(() => cursors.open(other, cursors.seal(LIST, "a"))).toThrow(
      /^cursor: it was not returned to this caller for this list/,
    );
    expect(() => cursors.open(LIST, cursors.seal(other, "a"))).toThrow(/^cursor: /);
    expect(cursors.open(other, cursors.seal(other, "a"))).toBe("a");
  });

  it("a cursor is valid for 24 hours and then refused with the reason", () => {
    let now = 1_700_000_000_000;
    const cursors = new Cursors(Buffer.alloc(CURSOR_KEY_BYTES, "k"), () => now);
    const cursor = cursors.seal(LIST, "a/b");
    now += 24 * HOUR_MS - 1;
    expect(cursors.open(LIST, cursor)).toBe("a/b");
    now += 1;
    expect(() => cursors.open(LIST, cursor)).toThrow(
      "cursor: it is older than 24 hours: start the list again without a cursor",
    );
  });

  it("cursors of the same position differ, and an empty cursor is refused", () => {
    const cursors = new Cursors(Buffer.alloc(CURSOR_KEY_BYTES, "k"), () => 0);
    expect(cursors.seal(LIST, "a")).not.toBe(cursors.seal(LIST, "a"));
    expect(cursors.open(LIST, undefined)).toBeUndefined();
    expect(() => cursors.open(LIST, "")).toThrow(/^cursor: /);
  });

  it("cursors survive a restart with a key that each store creates once", async () => {
    const facts = new KvFacts(new RamKv());
    const before = new Cursors(await cursorKey(facts), () => 0);
    const after = new Cursors(await cursorKey(facts), () => 0);
    expect(after.open(LIST, before.seal(LIST, "a"))).toBe("a");
    const [key, other] = [await cursorKey(facts), await cursorKey(new KvFacts(new RamKv()))];
    expect([key.byteLength, other.byteLength]).toEqual([CURSOR_KEY_BYTES, CURSOR_KEY_BYTES]);
    expect(Buffer.compare(key, other)).not.toBe(0);
    expect(() => new Cursors(other, () => 0).open(LIST, before.seal(LIST, "a"))).toThrow(/^cursor: /);
  });
});
