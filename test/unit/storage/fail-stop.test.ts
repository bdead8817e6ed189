import { ClassicLevel } from "classic-level";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import { openStorage } from "../../../src/storage/open.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function open() {
  const broken: Error[] = [];
  const storage = await openStorage({
    dataDir: folder.path,
    log: silentLog,
    clock: Date.now,
    onBroken: (error) => broken.push(error),
  });
  const put = (key: string, apply = () => undefined) =>
    storage.kv.transact(() => ({ ops: [{ key, value: Buffer.from(key) }], apply }));
  return { storage, put, broken };
}

const refusalOf = (work: () => Promise<unknown>) =>
  work().then(
    () => undefined,
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );

it("the store stops after a change that fails to apply, and a restart has every durable write", async () => {
  const { storage, put, broken } = await open();
  await put("before");
  const failing = put("failing", () => {
    throw new Error("a defect");
  });
  const sameGroup = put("same group");
  const later = failing.catch(() => put("later"));
  await expect(failing).rejects.toThrow("a defect");
  await sameGroup;
  await expect(later).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(broken.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^a durable change could not be applied.*the server stops: start it again.*ctxdb verify/,
    ),
  ]);
  expect(() => storage.kv.get("before")).toThrow(ServiceError);
  expect(() => storage.kv.snapshot()).toThrow(ServiceError);
  const range = { gte: "", lt: "~", limit: 10 };
  for (const read of [
    () => storage.kv.range(range),
    () => storage.kv.texts(range),
    () => storage.kv.keys(range),
  ])
    expect(await refusalOf(read)).toBe("UNAVAILABLE");
  await storage.close();
  const again = await open();
  expect(await again.storage.kv.keys(range)).toEqual(["before", "failing", "same group"]);
  await again.storage.close();
});

it("the store stops after a failed write whose previous state cannot be read", async () => {
  const { storage, put, broken } = await open();
  await put("before");
  const [batch, getSync] = [ClassicLevel.prototype.batch, ClassicLevel.prototype.getSync];
  const failing = () => {
    throw Object.assign(new Error("IO error"), { code: "LEVEL_IO_ERROR" });
  };
  try {
    Object.assign(ClassicLevel.prototype, { batch: failing, getSync: failing });
    expect(await refusalOf(() => put("failing"))).toBe("UNAVAILABLE");
  } finally {
    Object.assign(ClassicLevel.prototype, { batch, getSync });
  }
  expect(broken.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the state before a failed write could not be read/),
  ]);
  expect(await refusalOf(() => put("later"))).toBe("UNAVAILABLE");
  await storage.close();
  const again = await open();
  expect(await again.storage.kv.keys({ gte: "", lt: "~", limit: 10 })).toEqual(["before"]);
  await again.storage.close();
});
