import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { MAX_UPLOADS, Uploads } from "../../../src/workspace/requests/uploads.ts";
import { ramStores, type Stores } from "../../support/stores.ts";

const [ONE, TWO] = [workspaceId(1), workspaceId(2)];
const ANN = { user: "ann" };

let stores: Stores;
let opened: Uploads[];
function open(): Uploads {
  const clock = () => stores.clock.now;
  const uploads = new Uploads({ kv: stores.kv, bytes: stores.bytes, clock, lifeSeconds: 60 });
  opened.push(uploads);
  return uploads;
}
const once = (text: string) =>
  (async function* () {
    yield Buffer.from(text);
  })();
async function idsOnDisk(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of stores.bytes.list()) ids.push(id);
  return ids;
}

beforeEach(async () => {
  stores = ramStores();
  opened = [];
  const uploads = open();
  for (const [id, incarnation] of [["one", ONE] as const, ["two", TWO] as const])
    await uploads.save(id, { incarnation, user: "ann", name: `${id}.md` }, once(id), 10);
});
afterEach(async () => {
  for (const uploads of opened) uploads.close();
  await stores.close();
});

it("a server takes over the uploads of one workspace without those of others, and can release them all", async () => {
  const uploads = open();
  await uploads.adopt(TWO);
  expect([uploads.held(ONE), uploads.held(TWO)]).toEqual([0, 3]);
  expect(Buffer.from(await uploads.read("two")).toString()).toBe("two");
  uploads.drop(TWO);
  expect(uploads.held(TWO)).toBe(0);
  await expect(uploads.read("two")).rejects.toThrow(/not found/);
  // nothing was removed: the next server still has it
  const next = open();
  await next.adopt(TWO);
  expect(next.find("two", TWO, ANN).name).toBe("two.md");
});

it("taking over all uploads removes expired ones, bytes without a record, and records without bytes", async () => {
  await stores.bytes.write("stray", once("stray"), 10, "limit");
  await stores.bytes.remove("one");
  const uploads = open();
  await uploads.adopt("everything");
  expect(await idsOnDisk()).toEqual(["two"]);
  expect(() => uploads.find("one", ONE, ANN)).toThrow(/not found/);
  expect([uploads.held(ONE), uploads.held(TWO)]).toEqual([0, 3]);
  stores.clock.now += 60_000;
  await open().adopt("everything");
  expect(await idsOnDisk()).toEqual([]);
  expect(await stores.kv.keys({ gte: "f/", lt: "f0", limit: 9 })).toEqual([]);
});

it("uploads that arrive at the same time count against the limit of their user", async () => {
  const uploads = open();
  const save = (id: string) =>
    uploads.save(id, { incarnation: ONE, user: "eve", name: "f.md" }, once(""), 10);
  const saved = await Promise.allSettled(
    Array.from({ length: MAX_UPLOADS.user + 20 }, (_, i) => save(`eve-${i}`)),
  );
  expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_UPLOADS.user);
  await expect(save("more")).rejects.toThrow(/the limit is 1000/);
  await uploads.removeOf(ONE, { user: "eve" });
  // those that failed do not count
  for (let i = 0; i < MAX_UPLOADS.user; i++) await save(`again-${i}`);
});

it("a user can have 1,000 uploads and an account 10,000, and removing one makes room", async () => {
  const uploads = open();
  const save = (id: string, user: string) =>
    uploads.save(id, { incarnation: ONE, user, name: "f.md" }, once(""), 10);
  const fill = (user: string) =>
    Promise.all(Array.from({ length: MAX_UPLOADS.user }, (_, i) => save(`${user}-${i}`, user)));
  await fill("u0");
  await expect(save("more", "u0")).rejects.toMatchObject({
    code: "RESOURCE_EXHAUSTED",
    details: { resource: "uploads", limit: 1000 },
  });
  await uploads.discard("u0-0");
  await save("more", "u0");
  for (let i = 1; i < 10; i++) await fill(`u${i}`);
  await expect(save("most", "u10")).rejects.toMatchObject({ details: { limit: 10_000 } });
  await uploads.removeOf(ONE, { user: "u1" });
  await save("most", "u10");
  const next = open();
  await next.adopt("everything");
  await expect(next.save("again", { incarnation: ONE, user: "u2", name: "f" }, once(""), 10)).rejects.toThrow(
    /the limit is 1000/,
  );
});

it("the content of an expired upload is removed even if its workspace has moved to another server", async () => {
  const clock = () => Date.now();
  const uploads = new Uploads({ kv: stores.kv, bytes: stores.bytes, clock, lifeSeconds: 0.1 });
  opened.push(uploads);
  await uploads.save("moved", { incarnation: ONE, user: "ann", name: "m.md" }, once("moved"), 10);
  uploads.drop(ONE);
  await vi.waitFor(async () => expect(await idsOnDisk()).not.toContain("moved"));
});

it("a server that adopts single workspaces removes upload contents that belong to none of these", async () => {
  const uploads = open();
  await uploads.adopt(TWO);
  await uploads.removeStrays();
  expect(await idsOnDisk()).toEqual(["two"]);
});

it("an upload that fails after its workspace was given up gives the workspace no room", async () => {
  const uploads = open();
  await uploads.adopt(ONE);
  const cut = async function* () {
    yield Buffer.from("12345");
    uploads.drop(ONE);
    throw new Error("the connection broke");
  };
  await expect(
    uploads.save("cut", { incarnation: ONE, user: "ann", name: "f.md" }, cut(), 10),
  ).rejects.toThrow("the connection broke");
  expect(uploads.held(ONE)).toBe(0);
  await uploads.adopt(ONE);
  expect(uploads.held(ONE)).toBe(3);
});
