import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Parser } from "../../../src/ingest/parse/process/parser.ts";
import { docx, paragraph } from "../../support/documents.ts";
import { silentLog } from "../../support/silent-log.ts";

const MIB = 1024 * 1024;
const PAGE = Buffer.from("<h2>Birds</h2><p>The quetzal nests.</p>");
const parser = new Parser({ limitSeconds: 60, memoryMb: 256, log: silentLog });
afterAll(() => parser.close());

/** Returns the parsing processes started by this process. */
function parsing(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean);
  return children
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("parse-child"));
}

describe("a parser", () => {
  it("small text is parsed in the server, and pages, code and documents in a process", async () => {
    expect((await parser.parse("a.md", Buffer.from("# Birds"), { workspace: workspaceId(1) })).title).toBe(
      "Birds",
    );
    expect(parser.pool.running).toBe(0);
    expect(await parser.parse("a.html", PAGE, { workspace: workspaceId(1), hash: "x" })).toMatchObject({
      text: "## Birds\n\nThe quetzal nests.\n",
      converted: "## Birds\n\nThe quetzal nests.\n",
    });
    expect(
      (await parser.parse("a.py", Buffer.from("def nest(): pass"), { workspace: workspaceId(1) })).outline,
    ).toBe("def nest()");
    const long = await parser.parse(
      "a.docx",
      await docx(paragraph("Some words of ordinary text stand here. ").repeat(300)),
      {
        workspace: workspaceId(1),
      },
    );
    expect(long.sections!.length).toBeGreaterThan(1);
    expect(long.sections!.map(({ text }) => text).join("")).toBe(long.text);
    expect(parser.pool.deaths).toBe(0);
  });

  it("the parser reuses the last result for the same account only", async () => {
    const first = await parser.parse("b.html", PAGE, { workspace: workspaceId(1), hash: "h" });
    expect(await parser.parse("b.html", PAGE, { workspace: workspaceId(2), hash: "h" })).not.toBe(first);
    expect(await parser.parse("b.html", PAGE, { workspace: workspaceId(1), hash: "h" })).toBe(first);
  });

  it("large files without text are described, and text files above the limit are refused", async () => {
    expect(
      await parser.parse("a.bin", Buffer.alloc(65 * MIB), { workspace: workspaceId(1), strict: true }),
    ).toMatchObject({
      kind: "binary",
    });
    const large = Buffer.alloc(65 * MIB, "a");
    expect(await parser.parse("a.log", large, { workspace: workspaceId(1) })).toMatchObject({
      kind: "binary",
      error: expect.stringContaining("larger than 64 MB"),
    });
    await expect(
      parser.parse("a.log", large, { workspace: workspaceId(1), strict: true }),
    ).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { errors: [expect.stringContaining("a.log")] },
    });
  });

  it.skipIf(process.platform !== "linux")("a file is parsed again if its process was killed", async () => {
    const { deaths } = parser.pool;
    const reading = parser.parse("killed.html", PAGE, { workspace: workspaceId(1) });
    await expect.poll(() => parsing().length, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
    for (const pid of parsing()) process.kill(pid, "SIGKILL");
    expect(await reading).toMatchObject({ text: "## Birds\n\nThe quetzal nests.\n" });
    expect(parser.pool.deaths).toBe(deaths + 1);
  });

  it.skipIf(process.platform !== "linux").each(["notices", "does not notice yet"])(
    "a file is parsed after an idle process was killed and the server %s",
    async (how) => {
      await parser.parse("before.html", PAGE, { workspace: workspaceId(1) });
      for (const pid of parsing()) process.kill(pid, "SIGKILL");
      if (how === "notices") await expect.poll(() => parser.pool.running, { interval: 1 }).toBe(0);
      expect(await parser.parse("after.html", PAGE, { workspace: workspaceId(1) })).toMatchObject({
        text: "## Birds\n\nThe quetzal nests.\n",
      });
    },
  );

  it("closing the server fails a running parse with UNAVAILABLE", async () => {
    const ending = new Parser({ limitSeconds: 60, memoryMb: 256, log: silentLog });
    const reading = ending.parse("a.html", PAGE, { workspace: workspaceId(1) });
    const refused = expect(reading).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await new Promise((resolve) => setImmediate(resolve));
    await ending.close();
    await refused;
    await expect(ending.parse("a.html", PAGE, { workspace: workspaceId(1) })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});
