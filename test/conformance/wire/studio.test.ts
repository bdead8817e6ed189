import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../src/transport/connections/connections.ts";
import type { ProbeAnswer } from "../../../src/transport/probes.ts";
import { isStudioPage, Studio } from "../../../src/transport/studio.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SCRIPT = "console.log('studio');".repeat(100);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let studio: Studio;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "assets"));
  await writeFile(join(folder.path, "index.html"), "<!doctype html><title>Studio</title>");
  await writeFile(join(folder.path, "assets", "index-1.js"), SCRIPT);
  await writeFile(join(folder.path, "assets", "index-1.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder.path, "secret.txt"), "not for the web");
  studio = new Studio(folder.path);
});
afterAll(() => folder.remove());

async function ask(path: string, headers: Record<string, string> = {}): Promise<ProbeAnswer> {
  const probe = studio.probe(path);
  if (probe === undefined) throw new Error(`nothing answers ${path}`);
  return probe({ url: path, headers } as HttpRequest);
}
const textOf = ({ body }: ProbeAnswer): string => Buffer.from(body as Uint8Array).toString();

describe("the files of Studio", () => {
  it("every Studio route serves the same page, with a policy against inline code and other origins", async () => {
    for (const path of ["/studio", "/studio/explorer", "/studio/no/such/screen"]) {
      const answer = await ask(path);
      expect([path, answer.status, textOf(answer)]).toEqual([
        path,
        200,
        "<!doctype html><title>Studio</title>",
      ]);
      const policy = answer.headers?.["Content-Security-Policy"] ?? "";
      expect(policy).toContain("script-src 'self'; style-src 'self'; ");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(answer.headers).toMatchObject({
        "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff",
      });
    }
  });

  it("Studio files are sent with brotli to clients that accept it, and uncompressed otherwise", async () => {
    const packed = await ask("/studio/assets/index-1.js", { "accept-encoding": "gzip, deflate, br" });
    expect(packed.headers).toMatchObject({ "Content-Encoding": "br", Vary: "Accept-Encoding" });
    expect(brotliDecompressSync(packed.body as Uint8Array).toString()).toBe(SCRIPT);
    for (const coding of ["", "gzip", "br;q=0, gzip"]) {
      const plain = await ask("/studio/assets/index-1.js", { "accept-encoding": coding });
      expect([coding, plain.headers?.["Content-Encoding"], textOf(plain)]).toEqual([
        coding,
        undefined,
        SCRIPT,
      ]);
    }
  });

  it("a browser that has a Studio file cached gets 304", async () => {
    const first = await ask("/studio");
    const etag = first.headers?.ETag ?? "";
    expect((await ask("/studio", { "if-none-match": `"other", W/${etag}` })).status).toBe(304);
    expect((await ask("/studio", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("Studio serves only files of its build, and paths outside the build folder are not found", async () => {
    const paths = [
      "/studio/secret.txt",
      "/studio/assets/../secret.txt",
      "/studio/assets/none.js",
      "/studio/index-1.js.br",
      "/studio/%2e%2e/x.js",
    ];
    for (const path of paths) {
      const answer = await ask(path).then(
        (sent) => textOf(sent),
        (error: unknown) => String(error),
      );
      expect(answer).not.toContain("not for the web");
      expect(answer).not.toContain(SCRIPT);
    }
    await expect(ask("/studio/assets/none.js")).rejects.toThrow("not found");
    expect([studio.probe("/studios"), isStudioPage("/studios"), isStudioPage("/studio/x")]).toEqual([
      undefined,
      false,
      true,
    ]);
  });

  it("Studio without a build answers with the command that builds it", async () => {
    const probe = new Studio(join(folder.path, "assets")).probe("/studio");
    expect(() => probe?.({ url: "/studio", headers: {} } as HttpRequest)).toThrow("npm run build:studio");
  });
});
