import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/sha256.ts";
import { directoryLine, fileLine, type Line, type Pack, packed } from "../support/pack.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

type Call = (what: string, body?: object) => ReturnType<Served["rest"]>;

async function bring(call: Call, bytes: Uint8Array, more: object) {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)]), "evil.zip");
  const { temp_path } = (await call("POST resources/temp_upload", form)).result as { temp_path: string };
  return call("POST pack/import", { temp_path, wait: true, ...more });
}

const ROOT = directoryLine("evil");
const A = fileLine("evil/a.md");
const FILES = { "evil/a.md": "x" };
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const related = (from: string, to: string): Pack => ({
  nodes: [ROOT, A],
  files: FILES,
  relations: [{ from, to, reason: "", created: 1 }],
});

const PIECE = { start: 0, end: 1, scale: 0, values: Buffer.alloc(128).toString("base64") };
const pieces = (path: string, count: number): Line => ({
  path,
  pieces: Array.from({ length: count }, () => PIECE),
});

const REFUSED: readonly [string, Pack][] = [
  [
    "a path that climbs",
    { nodes: [ROOT, fileLine("evil/../../user/ann/a.md")], files: { "evil/a.md": "x" } },
  ],
  ["a path outside of its root", { nodes: [ROOT, fileLine("other/a.md")], files: { "other/a.md": "x" } }],
  ["an absolute path", { nodes: [ROOT, fileLine("/etc/passwd")] }],
  ["a path with an empty name", { nodes: [ROOT, fileLine("evil//a.md")] }],
  ["a path with a backslash", { nodes: [ROOT, directoryLine("evil/a\\b")] }],
  ["a path with a control character", { nodes: [ROOT, directoryLine("evil/a\u0000b")] }],
  ["a path that turns direction", { nodes: [ROOT, directoryLine("evil/a\u202eb")] }],
  ["a path with half a character", { nodes: [ROOT, directoryLine("evil/\ud800")] }],
  ["a path in another form of Unicode", { nodes: [ROOT, directoryLine("evil/e\u0301")] }],
  ["a name of 256 bytes", { nodes: [ROOT, directoryLine(`evil/${"a".repeat(256)}`)] }],
  [
    "a hidden file that the server writes",
    { nodes: [ROOT, fileLine("evil/.abstract.md")], files: { "evil/.abstract.md": "x" } },
  ],
  ["metadata as a file", { nodes: [ROOT, fileLine("evil/.meta.json")], files: { "evil/.meta.json": "x" } }],
  ["a folder with a reserved name", { nodes: [ROOT, directoryLine("evil/.relations.json")] }],
  ["a root with a reserved name", { nodes: [directoryLine(".meta.json")], manifest: { root: ".meta.json" } }],
  ["a root of two names", { nodes: [directoryLine("evil/x")], manifest: { root: "evil/x" } }],
  ["two roots", { nodes: [ROOT, directoryLine("evil2")] }],
  ["a path twice", { nodes: [ROOT, directoryLine("evil/a"), directoryLine("evil/a")] }],
  ["a file that holds a file", { nodes: [ROOT, A, fileLine("evil/a.md/b")], files: { ...FILES } }],
  [
    "a file before its folder",
    { nodes: [ROOT, fileLine("evil/b/a.md"), directoryLine("evil/b")], files: { "evil/b/a.md": "x" } },
  ],
  [
    "64 folders",
    {
      nodes: Array.from({ length: 64 }, (_, i) =>
        directoryLine(["evil", ...Array.from({ length: i }, () => "d")].join("/")),
      ),
    },
  ],
  ["a kind of its own", { nodes: [ROOT, { ...A, kind: "symlink" }], files: FILES }],
  ["a size that is too small", { nodes: [ROOT, { ...A, size: 0 }], files: FILES }],
  ["a size below zero", { nodes: [ROOT, { ...A, size: -1 }], files: FILES }],
  ["a size beyond all numbers", { nodes: [ROOT, { ...A, size: 2 ** 60 }], files: FILES }],
  ["a file without a hash", { nodes: [ROOT, { ...A, sha256: undefined }], files: FILES }],
  ["a hash that is a path", { nodes: [ROOT, { ...A, sha256: "../".repeat(21) }], files: FILES }],
  ["a header in its type", { nodes: [ROOT, { ...A, mime: "text/html\r\nSet-Cookie: a=b" }], files: FILES }],
  ["a time that is none", { nodes: [{ ...ROOT, created: "now" }] }],
  [
    "an abstract that is too long",
    { nodes: [directoryLine("evil", { abstract: "x".repeat(16 * 1024 + 1), overview: "" })] },
  ],
  [
    "an overview that is too long",
    { nodes: [directoryLine("evil", { abstract: "", overview: "x".repeat(64 * 1024 + 1) })] },
  ],
  ["one layer of two", { nodes: [directoryLine("evil", { abstract: "x" })] }],
  ["a line with more values than a pack needs", { nodes: [{ ...ROOT, more: Array(13_000).fill(1) }] }],
  ["too much metadata", { nodes: [directoryLine("evil", { meta: { source: "x".repeat(257 * 1024) } })] }],
  [
    "facts that are none",
    { nodes: [directoryLine("evil", { meta: { facts: { category: "profile", facts: "all" } } })] },
  ],
  [
    "terms of an import that are none",
    { nodes: [directoryLine("evil", { meta: { import: { kind: "path", include: {} } } })] },
  ],
  ["a line that is too long", { nodes: [ROOT, `"${"x".repeat(513 * 1024)}"`] }],
  ["a line without end", { nodes: [`{"path":${nested(100_000)}}`] }],
  ["a relation to another scope", related("evil/a.md", "ctx://user/ann/secret.md")],
  ["a relation from elsewhere", related("resources/other", "evil/a.md")],
  ["a relation that climbs", related("evil/a.md", "evil/../../user/ann")],
  ["a relation to itself", related("evil/a.md", "evil/a.md")],
  ["a scope of its own", { nodes: [ROOT], manifest: { scope: "session" } }],
  ["another scope than its place", { nodes: [ROOT], manifest: { scope: "user" } }],
  ["a count of files that is too small", { nodes: [ROOT, A], files: FILES, manifest: { files: 0 } }],
  [
    "more pieces of a file than a file has",
    { nodes: [ROOT, A], files: FILES, vectors: Array.from({ length: 21 }, () => pieces("evil/a.md", 1000)) },
  ],
  ["vectors of a node that is not a file", { nodes: [ROOT, A], files: FILES, vectors: [pieces("evil", 1)] }],
  ["nothing", { nodes: [] }],
];

describe("a pack made by hand, every hash of it right,", () => {
  let server: Served;
  let key: string;
  beforeAll(async () => {
    server = await serve();
    await server.rest(ROOT_KEY, "POST admin/accounts", { account_id: "acme", admin_user_id: "ann" });
    const made = await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", { user_id: "bob" });
    key = (made.result as { user_key: string }).user_key;
  });
  afterAll(() => server.close());

  const call: Call = (what, body) => server.rest(key, what, body);
  const brought = (bytes: Uint8Array, parent = "ctx://resources/in", more: object = {}) =>
    bring(call, bytes, { parent, ...more });

  it.each(REFUSED)("a forged pack with %s is refused, and nothing is written", async (_, pack) => {
    const answer = await brought(await packed(pack));
    expect([answer.http, answer.error?.code]).toEqual([400, "INVALID_ARGUMENT"]);
    expect((await call("GET fs/ls?uri=ctx://resources&recursive=true&show_all_hidden=true")).result).toEqual(
      [],
    );
  });

  it.each([
    ["a scope root", "ctx://user", "bob", 403],
    ["the space of somebody else", "ctx://user", "ann", 404],
    ["an invalid agent id", "ctx://agent", "-a-", 403],
    ["below an invalid agent id", "ctx://agent/-a-", "x", 400],
  ])("a forged pack is not imported into %s", async (_, parent, root, http) => {
    const scope = parent.startsWith("ctx://user") ? "user" : "agent";
    const answer = await brought(
      await packed({ nodes: [directoryLine(root)], manifest: { scope, root } }),
      parent,
      { force: true },
    );
    expect(answer.http).toBe(http);
  });

  it("a forged pack cannot replace the skills of an agent space", async () => {
    const pack = await packed({
      nodes: [directoryLine("skills")],
      manifest: { scope: "agent", root: "skills" },
    });
    expect((await brought(pack, "ctx://agent", { force: true })).http).toBe(400);
  });

  it("a pack with future times and lone surrogates is imported without harm", async () => {
    const half = { abstract: "a\ud800b", overview: "", described: true };
    const nodes = [
      directoryLine("evil", {
        ...half,
        created: 8.64e15,
        modified: 8.64e15,
        meta: { reason: "\udfff", unknown: 1, facts: undefined },
      }),
      fileLine("evil/a.md", "x", { mime: "image/png", described: true }),
      fileLine("evil/.env"),
    ];
    const relations = [{ from: "evil/a.md", to: "evil", reason: "\ud800", created: 8.64e15 }];
    const files = { ...FILES, "evil/.env": "x" };
    expect((await brought(await packed({ nodes, relations, files }))).http).toBe(200);
    const uri = "ctx://resources/in/evil";
    expect((await call(`GET content/abstract?uri=${uri}`)).result).toBe("a\ufffdb");
    expect((await call(`GET content/read?uri=${uri}/.meta.json`)).result).not.toContain("unknown");
    const { mtime } = (await call(`GET fs/stat?uri=${uri}`)).result as { mtime: number };
    expect(mtime * 1000).toBeLessThanOrEqual(Date.now());
    expect((await call(`GET relations?uri=${uri}/a.md`)).result).toMatchObject([
      { to_uri: uri, reason: "\ufffd" },
    ]);
    expect((await call(`GET fs/ls?uri=${uri}&simple=true`)).result).toEqual([`${uri}/a.md`]);
    expect((await call(`DELETE fs?uri=ctx://resources/in&recursive=true`)).http).toBe(200);
  });

  it.each([
    ["more folders than one change of the tree has jobs for", 15_000, {}],
    ["more metadata than one change of the tree holds", 20, { meta: { reason: "x".repeat(250_000) } }],
  ])("a pack with %s is imported", async (_, count, more) => {
    const nodes = [ROOT, ...Array.from({ length: count }, (__, i) => directoryLine(`evil/${i}`, more))];
    expect(await brought(await packed({ nodes }), "ctx://resources/in", { wait: false })).toMatchObject({
      http: 200,
      result: { files: 0 },
    });
    expect(await call("GET fs/stat?uri=ctx://resources/in/evil")).toMatchObject({ result: { count } });
    expect((await call(`DELETE fs?uri=ctx://resources/in&recursive=true`)).http).toBe(200);
  });

  it("a pack with folders of very long names is refused before the names are stored", async () => {
    const path = Array.from({ length: 15 }, (_, i) =>
      ["evil", ...Array.from({ length: i }, () => "d".repeat(250))].join("/"),
    );
    const many = Array.from(
      { length: 18_500 },
      (_, i) => `${path.at(-1)}/${sha256(`${i}`)}${"e".repeat(180)}`,
    );
    const answer = await brought(
      await packed({ nodes: [...path, ...many].map((one) => directoryLine(one)) }),
    );
    expect(answer).toMatchObject({
      http: 400,
      error: { message: expect.stringContaining("characters in total") },
    });
  });

  it("a pack with more text than an account may have in the queue is refused", async () => {
    const narrow = await serve({ CTXDB_MAX_QUEUED_BYTES: "100000" });
    try {
      const text = "a word of many. ".repeat(10_000);
      const pack = await packed({
        nodes: [ROOT, fileLine("evil/a.txt", text)],
        files: { "evil/a.txt": text },
      });
      const ask: Call = (what, body) => narrow.rest(ROOT_KEY, what, body);
      expect(await bring(ask, pack, { parent: "ctx://resources" })).toMatchObject({
        http: 429,
        error: { code: "RESOURCE_EXHAUSTED" },
      });
      expect((await ask("GET fs/ls?uri=ctx://resources")).result).toEqual([]);
    } finally {
      await narrow.close();
    }
  });

  it("a pack with malformed facts does not break memories of later sessions", async () => {
    const facts = { category: "profile", topic: "", facts: [], earlier: [] };
    const nodes = [fileLine("profile.md", "x", { meta: { facts: { ...facts, facts: [{ text: 5 }] } } })];
    const pack = (root: Pack["nodes"]) =>
      packed({ nodes: root, files: { "profile.md": "x" }, manifest: { scope: "user", root: "profile.md" } });
    expect((await brought(await pack(nodes), "ctx://user/bob/memories")).http).toBe(400);
    const sound = [fileLine("profile.md", "x", { meta: { facts } })];
    expect((await brought(await pack(sound), "ctx://user/bob/memories")).http).toBe(200);
    const { session_id } = (await call("POST sessions")).result as { session_id: string };
    await call(`POST sessions/${session_id}/messages`, {
      role: "user",
      content: "My name is Bob and I live in Oslo.",
    });
    const { http, result } = await call(`POST sessions/${session_id}/commit`, {});
    expect([http, (result as { memories_extracted: number }).memories_extracted]).toEqual([
      200,
      expect.any(Number),
    ]);
    expect((await call("GET content/read?uri=ctx://user/bob/memories/profile.md")).result).toContain("Oslo");
  });

  describe("as ZIP64", () => {
    /** Replaces the directory entry of the member `name` with the zip64 form and these numbers. */
    async function widened(
      name: string,
      wide: { readonly size?: bigint; readonly packed?: bigint; readonly offset?: bigint },
    ): Promise<Buffer> {
      const pack = await packed({ nodes: [ROOT, A], files: FILES });
      const at = pack.lastIndexOf(name) - 46;
      const fields = [wide.size, wide.packed, wide.offset];
      const values = fields.filter((value) => value !== undefined);
      const extra = Buffer.alloc(4 + 8 * values.length);
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8 * values.length, 2);
      for (const [i, value] of values.entries()) extra.writeBigUInt64LE(value, 4 + 8 * i);
      const head = Buffer.from(pack.subarray(at, at + 46 + name.length));
      for (const [i, place] of [24, 20, 42].entries())
        if (fields[i] !== undefined) head.writeUInt32LE(0xffffffff, place);
      head.writeUInt16LE(extra.byteLength, 30);
      const tail = Buffer.from(pack.subarray(at + 46 + name.length));
      const end = tail.lastIndexOf("PK\u0005\u0006");
      tail.writeUInt32LE(tail.readUInt32LE(end + 12) + extra.byteLength, end + 12);
      return Buffer.concat([pack.subarray(0, at), head, extra, tail]);
    }
    const realOf = async (name: string) => {
      const pack = await packed({ nodes: [ROOT, A], files: FILES });
      const at = pack.lastIndexOf(name) - 46;
      const [packedSize, size, offset] = [20, 24, 42].map((place) =>
        BigInt(pack.readUInt32LE(at + place)),
      ) as [bigint, bigint, bigint];
      return { size, packed: packedSize, offset };
    };
    const name = "files/evil/a.md";

    it("a ZIP64 pack with true sizes is imported", async () => {
      expect((await brought(await widened(name, await realOf(name)))).http).toBe(200);
      await call("DELETE fs?uri=ctx://resources/in&recursive=true");
    });

    it.each([
      ["a size above 4 GiB", { size: 2n ** 33n }],
      ["a packed size above 4 GiB", { packed: 2n ** 33n }],
      ["a place above 4 GiB", { offset: 2n ** 33n }],
      ["a size above 2^53", { size: 2n ** 63n }],
      ["a place above 2^53", { offset: 2n ** 64n - 1n }],
      ["all numbers at their end", { size: 2n ** 64n - 1n, packed: 2n ** 64n - 1n, offset: 2n ** 64n - 1n }],
    ])("a ZIP64 pack that misstates %s is refused", async (_, wide) => {
      const answer = await brought(await widened(name, wide));
      expect([answer.http, answer.error?.details]).toEqual([
        400,
        { field: "temp_path", reason: expect.any(String) },
      ]);
      expect((await call("GET fs/ls?uri=ctx://resources")).result).toEqual([]);
    });

    it.each([
      ["its directory lies above 4 GiB", 48],
      ["it holds 2^40 members", 32],
    ])("a ZIP64 pack that claims that %s is refused", async (_, place) => {
      const pack = await packed({ nodes: [ROOT, A], files: FILES });
      const end = pack.lastIndexOf("PK\u0005\u0006");
      const long = Buffer.alloc(76);
      long.writeUInt32LE(0x06064b50, 0);
      long.writeBigUInt64LE(44n, 4);
      long.writeBigUInt64LE(BigInt(pack.readUInt16LE(end + 8)), 32);
      long.writeBigUInt64LE(BigInt(pack.readUInt32LE(end + 16)), 48);
      long.writeBigUInt64LE(2n ** 40n, place);
      long.writeUInt32LE(0x07064b50, 56);
      long.writeBigUInt64LE(BigInt(end), 64);
      long.writeUInt32LE(1, 72);
      const short = Buffer.from(pack.subarray(end));
      short.writeUInt32LE(0xffffffff, 16);
      const answer = await brought(Buffer.concat([pack.subarray(0, end), long, short]));
      expect([answer.http, answer.error?.code]).toEqual([400, "INVALID_ARGUMENT"]);
    });
  });
});
