import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseAddress } from "../src/address.ts";
import { sourceOfPath } from "../src/node/local-path.ts";
import { chunked, MAX_CHUNK_BYTES, type UploadSource } from "../src/sources.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ctxdb-client-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function unzipped(source: UploadSource): Promise<Record<string, string>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source.bytes()) pieces.push(piece);
  const files = unzipSync(Buffer.concat(pieces));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

describe("a folder to upload", () => {
  it("an uploaded folder becomes a zip of the files that an import would include", async () => {
    await write({
      "docs/a.md": "a",
      "docs/ünï 名.md": "b",
      "docs/empty.txt": "",
      "docs/.gitignore": "*.log\n!kept.log\n/build/\n",
      "docs/x.log": "-",
      "docs/kept.log": "kept",
      "docs/build/out.js": "-",
      "docs/sub/build/in.js": "in",
      "docs/sub/.gitignore": "*.tmp\n",
      "docs/sub/y.tmp": "-",
      "docs/sub/x.log": "-",
      "docs/.env": "-",
      "docs/.git/config": "-",
      "docs/node_modules/m/index.js": "-",
      "secret.txt": "-",
    });
    await symlink("../secret.txt", join(folder, "docs/link.txt"));
    await symlink("..", join(folder, "docs/up"));
    const source = await sourceOfPath(join(folder, "docs"));
    expect(source.name).toBe("docs.zip");
    expect(await unzipped(source)).toEqual({
      "a.md": "a",
      "ünï 名.md": "b",
      "empty.txt": "",
      "kept.log": "kept",
      "sub/build/in.js": "in",
    });
  });

  it("a large file in an uploaded folder is uploaded completely", async () => {
    const text = "0123456789".repeat(300_000);
    await write({ "docs/large.txt": text });
    expect(await unzipped(await sourceOfPath(join(folder, "docs")))).toEqual({ "large.txt": text });
  });

  it("uploading a path that does not exist fails with NOT_FOUND and names the path", async () => {
    const path = join(folder, "none");
    await expect(sourceOfPath(path)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining(path),
    });
  });
});

describe("chunks", () => {
  it("upload chunks fit into one message, whatever the size of the pieces read from disk", async () => {
    async function* pieces() {
      yield new Uint8Array(MAX_CHUNK_BYTES * 2 + 1);
      yield new Uint8Array(3);
    }
    const sizes: number[] = [];
    for await (const chunk of chunked(pieces())) sizes.push(chunk.length);
    expect(sizes).toEqual([MAX_CHUNK_BYTES, MAX_CHUNK_BYTES, 1, 3]);
  });
});

describe("an address", () => {
  it.each([
    ["localhost:1933", "http://localhost:1933", "localhost:1933", false],
    ["http://[::1]:1933/", "http://[::1]:1933", "[::1]:1933", false],
    ["https://ctx.example", "https://ctx.example", "ctx.example:443", true],
  ])("the client accepts the address %s", (address, baseUrl, authority, isSecure) => {
    expect(parseAddress(address)).toEqual({ baseUrl, authority, isSecure });
  });

  it.each(["", "ftp://x", "http://u:p@host:1", "http://host/?a=b", "::"])(
    "the client refuses the address %j with INVALID_ARGUMENT",
    (address) => {
      expect(() => parseAddress(address)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    },
  );
});
