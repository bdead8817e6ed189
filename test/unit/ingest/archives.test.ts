import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Header, type HeaderData } from "tar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Budget } from "../../../src/base/budget.ts";
import { overBudget } from "../../../src/domain/errors.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { ImportFilter } from "../../../src/ingest/import-filter.ts";
import { openArchive } from "../../../src/ingest/source-archive.ts";
import { openTar } from "../../../src/ingest/tar.ts";
import { DiskScratch } from "../../../src/storage/disk/disk-scratch.ts";
import { archiveOf } from "../../support/archive.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const LIMITS = { maxFiles: 20, maxBytes: 100_000, maxFileBytes: 80_000, field: "temp_path" };
const MARK = 0x0800;
const CENTRAL = Buffer.from([0x50, 0x4b, 1, 2]);

type Member = readonly [name: string, text: string, more?: HeaderData];

function tarOf(members: readonly Member[], end = true): Buffer {
  const blocks = members.flatMap(([path, text, more = {}]) => {
    const body = Buffer.from(text);
    const header = Buffer.alloc(512);
    new Header({ path, mode: 0o644, size: body.length, type: "File", mtime: new Date(0), ...more }).encode(
      header,
    );
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end ? 1024 : 0)]);
}

/** A zip whose names are overwritten by others of the same length, which no zip writer would create. */
async function zipOf(members: readonly Member[]): Promise<Buffer> {
  const plain = members.map(
    ([name, text], i) => [String.fromCharCode(97 + i).repeat(Buffer.byteLength(name)), text] as const,
  );
  let zip = await archiveOf(plain);
  for (const [i, [name]] of members.entries())
    zip = Buffer.from(
      zip.toString("latin1").replaceAll(plain[i]![0], Buffer.from(name).toString("latin1")),
      "latin1",
    );
  return zip;
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let scratch: DiskScratch;
beforeEach(async () => {
  folder = await temporaryFolder();
  scratch = await DiskScratch.open(join(folder.path, "scratch"));
});
afterEach(() => folder.remove());

const ROOM = new Budget<number>(
  { perKey: 64 * 1024 * 1024, total: 64 * 1024 * 1024 },
  overBudget("scratch disk"),
);

async function opened(
  name: string,
  bytes: Uint8Array,
  filter = { ignoreDirs: "", include: "", exclude: "" },
) {
  const file = join(folder.path, "archive");
  await writeFile(file, bytes);
  const source = await openArchive(file, name, new ImportFilter(filter), {
    scratch,
    room: ROOM,
    workspace: workspaceId(1),
    limits: LIMITS,
    signal: new AbortController().signal,
  });
  try {
    const texts: Record<string, string> = {};
    for (const { relPath, read } of source.files)
      texts[relPath.join("/")] = Buffer.from((await read())!).toString();
    return { texts, warnings: source.warnings };
  } finally {
    await source.close?.();
  }
}
const codeOf = (name: string, bytes: Uint8Array) =>
  opened(name, bytes).then(
    () => "OK",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

const TREE: readonly Member[] = [
  ["kit/a.md", "# A"],
  ["kit/docs/b.txt", "b"],
  ["kit/docs/empty.txt", ""],
];

describe.each([
  ["zip", "kit.zip", zipOf],
  ["tar", "kit.tar", async (members: readonly Member[]) => tarOf(members)],
  ["tar.gz", "kit.TGZ", async (members: readonly Member[]) => gzipSync(tarOf(members))],
] as const)("an archive as %s", (_, name, make) => {
  it("an archive whose files share one folder is imported without that folder", async () => {
    const texts = { "a.md": "# A", "docs/b.txt": "b", "docs/empty.txt": "" };
    expect(await opened(name, await make(TREE))).toEqual({ texts, warnings: [] });
    expect(Object.keys((await opened(name, await make([...TREE, ["other.md", "x"]]))).texts)).toContain(
      "kit/a.md",
    );
  });

  it("files of an archive are filtered like those of a folder", async () => {
    const members: Member[] = [
      ["a.md", "a"],
      [".gitignore", "*.log\nbuilt/\n"],
      ["x.log", "x"],
      ["built/y.md", "y"],
      ["node_modules/z.md", "z"],
      [".hidden", "h"],
      [".abstract.md", "EVIL"],
      ["docs/.gitignore", "!k.log\n"],
      ["docs/k.log", "k"],
    ];
    const { texts, warnings } = await opened(name, await make(members));
    expect([Object.keys(texts).sort(), warnings]).toEqual([
      ["a.md", "docs/k.log"],
      [".abstract.md: skipped: its name is reserved"],
    ]);
  });

  const HOSTILE = [
    "../evil.md",
    "../../../tmp/evil.md",
    "/tmp/evil.md",
    "a/../../evil.md",
    "..\\..\\evil.md",
    "C:\\evil.md",
    "a//b.md",
    "a/./b.md",
    "a/\u202eb.md",
    `${"x".repeat(256)}.md`,
    `${"d/".repeat(70)}a.md`,
    `${`${"d".repeat(240)}/`.repeat(20)}a.md`,
  ];
  it.each(HOSTILE)("an archive with the member name %s is refused completely", async (evil) => {
    const long: Member = [evil, "EVIL"];
    // in a tar, names above 100 bytes need a separate header
    const bytes =
      Buffer.byteLength(evil) > 100 && name !== "kit.zip"
        ? tarOf([
            ["././@LongLink", `${evil}\0`, { type: "NextFileHasLongPath" }],
            ["short", "EVIL"],
          ])
        : await make([["good.md", "x"], long]);
    expect(await codeOf(name, bytes)).toBe("INVALID_ARGUMENT");
  });

  it("an archive with duplicate names, as file and folder or in two Unicode forms, is refused", async () => {
    const twice: Member[][] = [
      [
        ["a.md", "1"],
        ["a.md", "2"],
      ],
      [
        ["a", "1"],
        ["a/b", "2"],
      ],
      [
        ["\u00e9.md", "1"],
        ["e\u0301.md", "2"],
      ],
    ];
    for (const members of twice) expect(await codeOf(name, await make(members))).toBe("INVALID_ARGUMENT");
    // names that differ only in case are two names here
    expect(
      Object.keys(
        (
          await opened(
            name,
            await make([
              ["a.md", "1"],
              ["A.md", "2"],
            ]),
          )
        ).texts,
      ),
    ).toHaveLength(2);
  });

  it("an archive above the limits is refused", async () => {
    expect(await codeOf(name, await make(Array.from({ length: 21 }, (__, i): Member => [`f${i}`, ""])))).toBe(
      "INVALID_ARGUMENT",
    );
    expect(
      await codeOf(
        name,
        await make([
          ["a", "x".repeat(60_000)],
          ["b", "x".repeat(60_000)],
        ]),
      ),
    ).toBe("INVALID_ARGUMENT");
  });

  it("archive files that are too large are left out with a warning", async () => {
    const large = "x".repeat(LIMITS.maxFileBytes + 1);
    const { texts, warnings } = await opened(
      name,
      await make([
        ["a.md", "a"],
        ["b.bin", large],
      ]),
    );
    expect([texts, warnings]).toEqual([
      { "a.md": "a" },
      ["b.bin: skipped: larger than 80000 bytes (CTXDB_MAX_UPLOAD_BYTES)"],
    ]);
  });

  it("a truncated or damaged archive, or one of another kind, is refused", async () => {
    const whole = await make([
      ["a.md", "x".repeat(5000)],
      ["b.md", "y".repeat(5000)],
    ]);
    for (const part of [
      whole.subarray(0, whole.length / 2),
      whole.subarray(0, 100),
      Buffer.alloc(0),
      Buffer.from("no archive at all"),
      Buffer.alloc(2000, 7),
    ])
      expect(await codeOf(name, part)).toBe("INVALID_ARGUMENT");
  });
});

describe("a zip", () => {
  const patched = async (change: (zip: Buffer, at: number[]) => void) => {
    const zip = await archiveOf([
      ["a.md", "aaaa"],
      ["b.md", "bbbb"],
    ]);
    const at: number[] = [];
    for (let i = zip.indexOf(CENTRAL); i >= 0; i = zip.indexOf(CENTRAL, i + 4)) at.push(i);
    change(zip, at);
    return codeOf("kit.zip", zip);
  };

  it("a ZIP archive with encrypted, overlapping or misdeclared members is refused", async () => {
    expect(await patched((zip, [first]) => zip.writeUInt16LE(MARK | 1, first! + 8))).toBe("INVALID_ARGUMENT");
    expect(
      await patched((zip, [first, second]) => zip.writeUInt32LE(zip.readUInt32LE(first! + 42), second! + 42)),
    ).toBe("INVALID_ARGUMENT");
    expect(await patched((zip, [first]) => zip.writeUInt32LE(3, first! + 24))).toBe("INVALID_ARGUMENT");
    expect(await patched((zip, [first]) => zip.writeUInt32LE(9, first! + 24))).toBe("INVALID_ARGUMENT");
  });

  it("symbolic links in a ZIP archive are skipped", async () => {
    expect(await patched((zip, [first]) => zip.writeUInt32LE((0o120777 << 16) >>> 0, first! + 38))).toBe(
      "OK",
    );
  });
});

describe("a tar", () => {
  it("links, devices and pipes in a tar archive are skipped with a warning", async () => {
    const others = (["SymbolicLink", "Link", "FIFO", "CharacterDevice", "BlockDevice"] as const).map(
      (type, i): Member => [`x${i}`, "", { type, linkpath: "/etc/passwd" }],
    );
    const { texts, warnings } = await opened("kit.tar", tarOf([...others, ["good.md", "x"]]));
    expect([texts, warnings.length, warnings[0]]).toEqual([
      { "good.md": "x" },
      5,
      "x0: skipped: not a regular file",
    ]);
  });

  it("a tar archive with long names and extended headers is read", async () => {
    const long = `${"long/".repeat(30)}name.md`;
    const pax = ` path=${long}\n`;
    const length = pax.length + 3;
    const members: Member[] = [
      ["./", "", { type: "Directory" }],
      ["./a.md", "a"],
      ["PaxHeader", `${length}${pax}`, { type: "ExtendedHeader" }],
      ["short", "b"],
      ["././@LongLink", `${long}2\0`, { type: "NextFileHasLongPath" }],
      ["short", "c"],
    ];
    expect(Object.values((await opened("kit.tar", tarOf(members, false))).texts).sort()).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("a tar archive whose headers claim impossible sizes is refused", async () => {
    for (const size of ["9".repeat(15), "-5", "x"]) {
      const pax = ` size=${size}\n`;
      const bytes = tarOf([
        ["PaxHeader", `${pax.length + 2}${pax}`, { type: "ExtendedHeader" }],
        ["a", "b"],
      ]);
      expect(await codeOf("kit.tar", bytes)).toBe("INVALID_ARGUMENT");
    }
    expect(
      await codeOf(
        "kit.tar",
        tarOf([
          ["L", "x".repeat(70_000), { type: "NextFileHasLongPath" }],
          ["a", "b"],
        ]),
      ),
    ).toBe("INVALID_ARGUMENT");
  });

  it("a tar archive with more folder names than bytes is refused", async () => {
    const members = Array.from({ length: 600 }, (_, i): Member[] => {
      const path = [i, ...Array.from({ length: 62 }, () => "d".repeat(63)), "f"].join("/");
      return [
        ["././@LongLink", `${path}\0`, { type: "NextFileHasLongPath" }],
        ["short", ""],
      ];
    });
    const file = join(folder.path, "archive");
    await writeFile(file, tarOf(members.flat()));
    await expect(openTar(file, { ...LIMITS, maxFiles: 100_000 })).rejects.toMatchObject({
      message: expect.stringContaining("names"),
    });
  });

  it("a tar archive that unpacks to far more than its size is refused", async () => {
    expect(await codeOf("kit.tar.gz", gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toBe("INVALID_ARGUMENT");
  });

  it("an open archive counts against its account's scratch space, and is refused if none is left", async () => {
    const room = new Budget<number>(
      { perKey: 3 * 1024 * 1024, total: 3 * 1024 * 1024 },
      overBudget("scratch disk"),
    );
    const file = join(folder.path, "archive");
    await writeFile(file, gzipSync(tarOf([["a.bin", "x".repeat(70_000)]])));
    const open = () =>
      openArchive(file, "kit.tgz", new ImportFilter({ ignoreDirs: "", include: "", exclude: "" }), {
        scratch,
        room,
        workspace: workspaceId(7),
        limits: LIMITS,
        signal: new AbortController().signal,
      });
    const first = await open();
    const second = await open();
    expect(room.used(7)).toBeGreaterThan(2 * 1024 * 1024);
    await expect(open()).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      details: { retry_after: expect.any(Number) },
    });
    await first.close?.();
    await (await open()).close?.();
    await second.close?.();
    expect(room.used()).toBe(0);
  });
});

it("opening an archive leaves nothing in the scratch folder, even if refused", async () => {
  await opened("kit.tgz", gzipSync(tarOf(TREE)));
  await codeOf("kit.tgz", gzipSync(tarOf([["../a", "x"]])));
  const { readdir } = await import("node:fs/promises");
  expect(await readdir(join(folder.path, "scratch"))).toEqual([]);
});
