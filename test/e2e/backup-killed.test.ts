import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.ts";
import { type Answer, Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { DavClient } from "../support/dav-client.ts";
import { hasS3, type S3Server, startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIMIT_MS = 300_000;
const PREFIX = "backups";
/** Contents of more bytes than the slowest backup reads in a second, so that one is under way for seconds. */
const FILES = 4;
const BYTES = 2_000_000;

describe.runIf(hasS3)("a backup to an object store", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let s3: S3Server;
  let server: Server | undefined;
  let rest: Rest;
  let dav: DavClient;
  beforeAll(async () => {
    folder = await temporaryFolder();
    s3 = await startS3();
  });
  afterAll(async () => {
    await server?.kill();
    await s3?.stop();
    await folder.remove();
  });

  async function start(): Promise<void> {
    const objects = Object.entries(s3.settings(PREFIX)).map(
      ([name, value]) => [name.replace("CTXDB_", "CTXDB_BACKUP_"), value] as const,
    );
    server = new Server({
      dataDir: join(folder.path, "data"),
      sources: folder.path,
      fromSource: true,
      settings: {
        ...Object.fromEntries(objects),
        CTXDB_BACKUP_DIR: join(folder.path, "backups"),
        CTXDB_BACKUP_TO: `s3://contents/${PREFIX}`,
        CTXDB_BACKUP_BYTES_PER_SECOND: String(2 ** 20),
      },
    });
    const port = (await server.ready()) ?? 0;
    rest = new Rest(port, { "x-api-key": ROOT_KEY });
    dav = new DavClient(() => port, ROOT_KEY);
  }

  const ok = (answer: Answer): unknown => {
    expect(answer.error).toBeUndefined();
    return answer.result;
  };
  /** Returns the hash of the content. */
  const write = async (name: string): Promise<string> => {
    const bytes = randomBytes(BYTES);
    expect((await dav.put(`resources/${name}.bin`, bytes)).status).toBe(201);
    return sha256(bytes);
  };
  const backup = async (name: string, wait = true) =>
    ok(await rest.post("/api/v1/admin/backups", { name, wait }, LIMIT_MS)) as { contents: number };
  const listed = async () =>
    ok(await rest.get("/api/v1/admin/backups")) as { name: string; state: string; added_bytes: number }[];
  const stored = async () =>
    (await readdir(s3.folder(PREFIX), { recursive: true })).map((path) => path.split("/").at(-1) ?? "");
  const isSound = async (name: string) =>
    (ok(await rest.post(`/api/v1/admin/backups/${name}/verify`, {}, LIMIT_MS)) as { sound: boolean }).sound;

  it("a server killed during a backup keeps the previous one, and the next backup removes the remains", {
    timeout: LIMIT_MS,
  }, async () => {
    await start();
    await write("heron");
    expect((await backup("good")).contents).toBe(1);
    const names = Array.from({ length: FILES }, (_, at) => `stork${at}`);
    const left: string[] = [];
    for (const name of names) left.push(await write(name));
    await backup("broken", false);
    // until a part of it is in the store
    while (!(await stored()).some((name) => left.includes(name))) await listed();
    await server?.kill();
    const leftovers = (await stored()).filter((name) => left.includes(name));
    expect(leftovers.length).toBeGreaterThan(0);
    await start();
    expect((await listed()).map(({ name, state }) => [name, state])).toEqual([["good", "complete"]]);
    expect(await isSound("good")).toBe(true);
    for (const name of names) {
      const query = `uri=ctx://resources/${name}.bin&permanent=true`;
      ok(await rest.send("DELETE", `/api/v1/fs?${query}`));
    }
    ok(await rest.post("/api/v1/system/wait", { timeout: 60 }, LIMIT_MS));
    expect((await backup("next")).contents).toBe(1);
    expect((await stored()).filter((name) => left.includes(name))).toEqual([]);
    expect(await isSound("good")).toBe(true);
    expect(await isSound("next")).toBe(true);
    expect(await readdir(join(folder.path, "backups", ".spool"))).toEqual([]);
  });
});
