import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { UPLOADS_BY_WORKSPACE } from "../../../src/storage/migrations/uploads.ts";
import { RamBlobs } from "../../../src/storage/ram/ram-blobs.ts";
import { Uploads } from "../../../src/workspace/requests/uploads.ts";
import { DyingKv } from "../../support/dying-kv.ts";
import { ramStores } from "../../support/stores.ts";

const once = (text: string) =>
  (async function* () {
    yield Buffer.from(text);
  })();

it("a migration keeps every upload of its account, interrupted at any step", async () => {
  for (let steps = 0, ended = false; !ended; steps++) {
    const kv = new DyingKv();
    const { bytes } = ramStores(kv);
    for (const [id, incarnation] of [
      ["one", 1],
      ["two", 2],
    ] as const) {
      const written = await bytes.write(id, once(id), 10, "limit");
      await kv.put(`f/${id}`, { incarnation, user: "ann", name: `${id}.md`, created: 0, ...written });
    }
    const migrate = () => UPLOADS_BY_WORKSPACE.run({ kv, blobs: new RamBlobs(() => 0) });
    ended = await kv.interrupted(steps, migrate);
    await migrate();
    expect(await kv.keys({ gte: "a", lt: "z", limit: 9 })).toEqual(["f/0000001/one", "f/0000002/two"]);
    const uploads = new Uploads({ kv, bytes, clock: () => 1, lifeSeconds: 60 });
    await uploads.adopt("everything");
    expect(uploads.find("two", workspaceId(2), { user: "ann" }).name).toBe("two.md");
    expect(() => uploads.find("two", workspaceId(1), { user: "ann" })).toThrow(/not found/);
    uploads.close();
  }
});
