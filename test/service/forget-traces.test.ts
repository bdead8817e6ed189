import { Writable } from "node:stream";
import { inflateRawSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, openApp } from "../../src/app/app.ts";
import { configFrom } from "../../src/config/config.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { filesWith, holdsWord } from "../support/words-on-disk.ts";

const KEY = "the-root-key";
const SECRET = "Quorvexilundra";

const CENTRAL = Buffer.from("PK\u0001\u0002");
const DEFLATED = 8;

/** Returns the contents of a zip one after the other, followed by its directory. */
function unzipped(zip: Buffer): Buffer {
  const contents: Buffer[] = [];
  const first = zip.indexOf(CENTRAL);
  for (let at = first; at >= 0; at = zip.indexOf(CENTRAL, at + 1)) {
    const [method, size, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42),
    ];
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(from, from + size);
    contents.push(method === DEFLATED ? inflateRawSync(packed) : packed);
  }
  return Buffer.concat([...contents, zip.subarray(first)]);
}

/** Records the server's log at the most detailed level. */
describe("traces of what was forgotten", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let app: App;
  const lines: Buffer[] = [];
  const headers = { "X-API-Key": KEY, "X-Ctx-Account": "default", "X-Ctx-User": "ann" };

  async function post(path: string, body: object, more: Record<string, string> = {}): Promise<Buffer> {
    const answer = await fetch(`http://127.0.0.1:${app.port}/api/v1/${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", ...more },
      body: JSON.stringify(body),
    });
    expect(answer.status, path).toBeLessThan(300);
    return Buffer.from(await answer.arrayBuffer());
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = {
      CTXDB_DATA_DIR: folder.path,
      CTXDB_PORT: "0",
      CTXDB_ROOT_API_KEY: KEY,
      CTXDB_EMBEDDING_PROVIDER: "light",
    };
    const config = configFrom(env, { folder: folder.path, read: () => undefined });
    const kept = new Writable({
      write: (line: Buffer, _, done) => {
        lines.push(line);
        done();
      },
    });
    app = await openApp(config, pino({ level: "trace" }, kept), "0.0.0");
    await post("admin/accounts", { account_id: "default", admin_user_id: "ann" });
    await post("sessions", { session_id: "home" });
    await post("sessions/home/messages", {
      role: "user",
      content: `I live in ${SECRET}. I like jazz music.`,
    });
    await post("sessions/home/commit", {});
    await post(
      "memories",
      { statement: `The key to ${SECRET} is blue`, subject: SECRET },
      {
        "Idempotency-Key": "one",
      },
    );
    const boats = "ctx://user/ann/memories/preferences/boats.md";
    for (const [mode, line] of [
      ["create", `Likes boats of ${SECRET}`],
      ["replace", "Likes elm boats"],
    ])
      await post("content/write", { uri: boats, content: `# boats\n\n- ${line}\n`, mode, wait: true });
    await post("search/find", { query: `who lives in ${SECRET}?` });
    await post("search/recall", { query: SECRET, session_id: "home" });
    // proves that the pack is read, and what an earlier pack still contains
    expect(holdsWord(unzipped(await post("pack/export", { uri: "ctx://user/ann" })), SECRET)).toBe(true);
    await post("memories/forget", { query: SECRET, dry_run: true });
    await post("memories/forget", { query: SECRET }, { "Idempotency-Key": "two" });
    await post("system/wait", { timeout: 60 });
  });
  afterAll(async () => {
    await app.close();
    await folder.remove();
  });

  it("forgotten content is in no pack that is exported afterwards", async () => {
    for (const uri of ["ctx://user/ann", "ctx://user/ann/memories"]) {
      const pack = await post("pack/export", { uri, include_vectors: true });
      const contents = unzipped(pack);
      expect(contents.toString()).toContain("jazz");
      expect(holdsWord(contents, SECRET)).toBe(false);
    }
  });

  it("forgotten content is in no log line, even at the most verbose level", () => {
    const log = Buffer.concat(lines);
    expect(log.includes("Forget")).toBe(true);
    expect(holdsWord(log, SECRET)).toBe(false);
  });

  it("forgotten content is in no metric, and in no stored response to the request that created it", async () => {
    const metrics = await fetch(`http://127.0.0.1:${app.port}/metrics`, { headers });
    expect(metrics.status).toBe(200);
    expect(holdsWord(Buffer.from(await metrics.arrayBuffer()), SECRET)).toBe(false);
    for (const path of ["observer/system", "tasks"]) {
      const told = await fetch(`http://127.0.0.1:${app.port}/api/v1/${path}`, { headers });
      expect(holdsWord(Buffer.from(await told.arrayBuffer()), SECRET), path).toBe(false);
    }
    expect(await filesWith(folder.path, SECRET)).toEqual([]);
  });
});
