import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApp } from "../../src/app/app.ts";
import { systemClock } from "../../src/base/clock.ts";
import { configFrom } from "../../src/config/config.ts";
import { restoreFolder } from "../../src/server/restore-folder.ts";
import { verifyFolder } from "../../src/server/verify-data-dir.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MIB = 1024 * 1024;
const MARK = "xylographyvole";
/** Contents that are copied one after the other at the lowest rate, which takes some seconds. */
const FILES = 3;
const NOTES = "ctx://user/bob/notes";
const LIMIT_MS = 120_000;

interface Backup {
  readonly name: string;
  readonly state: string;
  readonly added_bytes: number;
}

describe("the removal of a user during a backup", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let served: Served;
  const backups = () => join(folder.path, "backups");
  const root = (call: string, body?: object) => served.rest(ROOT_KEY, call, body);

  const register = async (): Promise<string> => {
    const made = await root("POST admin/accounts/acme/users", { user_id: "bob" });
    return (made.result as { user_key: string }).user_key;
  };
  const write = async (key: string, name: string, content: string) => {
    const uri = `${NOTES}/${name}`;
    expect((await served.rest(key, "POST content/write", { uri, content, mode: "create" })).http).toBe(200);
  };
  const backup = async (): Promise<Backup | undefined> =>
    ((await root("GET admin/backups")).result as Backup[]).find(({ name }) => name === "during");
  /** What a caller can see of the removed user's words and files. */
  const seen = async (key: string, port = served.port) => {
    const answers: string[] = [];
    for (const [path, body] of [
      ["fs/tree?uri=ctx://user/bob&show_all_hidden=true", undefined],
      ["search/find", { query: MARK }],
      ["search/grep", { uri: "ctx://user/bob", pattern: MARK }],
      ["tasks", undefined],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
        headers: { "X-API-Key": key, "Content-Type": "application/json" },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      answers.push(`${answer.status} ${await answer.text()}`);
    }
    return answers.join("\n").replaceAll(/"(request_id|time|took_ms)":[^,}]*/g, "");
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    served = await serve({ CTXDB_BACKUP_DIR: backups(), CTXDB_BACKUP_BYTES_PER_SECOND: String(MIB) });
    await root("POST admin/accounts", { account_id: "acme", admin_user_id: "ada" });
  });
  afterAll(async () => {
    await served.close();
    await folder.remove();
  });

  it(
    "a user removed during a backup is in it as of one snapshot, and a later namesake inherits nothing",
    async () => {
      const oldKey = await register();
      for (let i = 0; i < FILES; i++)
        await write(oldKey, `${MARK}-${i}.txt`, `${i} ${MARK}\n`.repeat(MIB / 20));
      await root("POST admin/backups", { name: "during", wait: false });
      await expect
        .poll(async () => (await backup())?.added_bytes, { timeout: LIMIT_MS / 4, interval: 20 })
        .toBeGreaterThan(0);
      expect((await backup())?.state).toBe("running");

      expect((await root("DELETE admin/accounts/acme/users/bob")).http).toBe(200);
      const newKey = await register();
      expect(await seen(newKey)).not.toContain(MARK);
      await expect
        .poll(async () => (await backup())?.state, { timeout: LIMIT_MS / 2, interval: 50 })
        .toBe("complete");
      await root("POST system/wait", {});
      expect(await seen(newKey)).not.toContain(MARK);
      expect(await seen(oldKey)).toMatch(/^(401 .*\n?)+$/);
      expect((await root("POST admin/backups/during/verify", {})).result).toMatchObject({ sound: true });

      const dataDir = join(folder.path, "restored");
      await restoreFolder({
        from: backups(),
        name: "during",
        dataDir,
        log: silentLog,
        clock: systemClock,
        onProgress: () => undefined,
        account: undefined,
        as: undefined,
      });
      expect(await verifyFolder(dataDir, { log: silentLog, now: systemClock })).toEqual([]);
      const env = {
        CTXDB_DATA_DIR: dataDir,
        CTXDB_PORT: "0",
        CTXDB_ROOT_API_KEY: ROOT_KEY,
        CTXDB_EMBEDDING_PROVIDER: "light",
      };
      const restored = await openApp(
        configFrom(env, { folder: dataDir, read: () => undefined }),
        silentLog,
        "0",
      );
      try {
        const [old, later] = [await seen(oldKey, restored.port), await seen(newKey, restored.port)];
        // one of the two users exists, with no more than its own content
        expect([old, later].filter((answers) => answers.includes("401 "))).toHaveLength(1);
        expect(later).not.toContain(MARK);
      } finally {
        await restored.close();
      }
      await served.restart();
      expect(await seen(newKey)).not.toContain(MARK);
    },
    LIMIT_MS,
  );
});
