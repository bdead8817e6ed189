import { lookup } from "node:dns/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddressGuard } from "../../../src/ingest/fetch/guard.ts";
import { nameLookup } from "../../../src/ingest/fetch/name-lookup.ts";
import { nameServer } from "../../support/name-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { codeOf } from "../../support/tenant.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "fast.example": ["93.184.215.14"],
  "inside.example": ["93.184.215.14", "127.0.0.1"],
  "many.example": Array.from({ length: 20 }, (_, i) => `93.184.215.${i}`),
};
const never = new AbortController().signal;

describe("the lookup of names that callers choose", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let names: Awaited<ReturnType<typeof nameServer>>;
  const find = (settings: Partial<Parameters<typeof nameLookup>[0]> = {}) =>
    nameLookup({ servers: [names.server], hostsFile: join(folder.path, "hosts"), ...settings });

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(
      join(folder.path, "hosts"),
      "127.0.0.1 localhost # fast.example\n::1\tlocalhost\n\nnot an address\n10.1.2.3  Git.Internal git\n",
    );
    names = await nameServer((name) =>
      name.startsWith("slow") ? undefined : (NAMES[name.toLowerCase()] ?? "unknown"),
    );
  });
  afterAll(async () => {
    await names.close();
    await folder.remove();
  });

  it("names whose servers never respond delay neither other names nor the system's own lookups", async () => {
    const leave = new AbortController();
    let pending = 0;
    const slow = Array.from({ length: 50 }, async (_, i) => {
      pending++;
      await find()(`slow${i}.example`, leave.signal).catch(() => undefined);
      pending--;
    });
    await expect.poll(() => names.asked.length).toBeGreaterThan(50);
    expect(await find()("fast.example", never)).toEqual([{ address: "93.184.215.14", family: 4 }]);
    expect(await lookup("localhost", { all: true })).not.toEqual([]);
    expect(pending).toBe(50);
    leave.abort();
    await Promise.all(slow);
  });

  it("a lookup finds names in the hosts file without a DNS query", async () => {
    const before = names.asked.length;
    expect(await find()("LOCALHOST", never)).toEqual([
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ]);
    expect(await find()("git.internal.", never)).toEqual([{ address: "10.1.2.3", family: 4 }]);
    expect(names.asked.length).toBe(before);
  });

  it("a lookup finds no addresses of an unknown name, and uses the system resolver only if allowed", async () => {
    expect(await find()("unknown.example", never)).toEqual([]);
    const missing = { hostsFile: join(folder.path, "missing") };
    expect(await find(missing)("localhost", never)).toEqual([]);
    expect(await find({ ...missing, asksSystem: true })("localhost", never)).not.toEqual([]);
  });

  it("a name with one private address among its addresses is forbidden", async () => {
    const guard = new AddressGuard(false, find());
    expect(await codeOf(guard.addressesOf("fast.example", 443))).toBe("OK");
    expect(await codeOf(guard.addressesOf("many.example", 443))).toBe("OK");
    expect(await codeOf(guard.addressesOf("inside.example", 443))).toBe("PERMISSION_DENIED");
    expect(await codeOf(guard.addressesOf("localhost", 443))).toBe("PERMISSION_DENIED");
    expect(await codeOf(guard.addressesOf("unknown.example", 443))).toBe("UNAVAILABLE");
  });
});
