import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeLocalFile } from "../../../src/ingest/local-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { codeOf } from "../../support/tenant.ts";

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let shelf: string;
beforeEach(async () => {
  home = await temporaryFolder();
  shelf = join(home.path, "shelf");
  await mkdir(shelf);
});
afterEach(() => home.remove());

const written = (to: string) =>
  writeLocalFile(
    to,
    async function* () {
      yield Buffer.from("pack");
    },
    {
      extension: ".ovpack",
      rules: { allowed: [shelf], dataDir: join(home.path, "data"), maxFiles: 1, maxBytes: 1 },
      signal: new AbortController().signal,
    },
  );

it("an export is written to a missing folder below one that CTXDB_LOCAL_PATHS names", async () => {
  const path = await written(join(shelf, "new/a"));
  expect(path).toBe(join(shelf, "new/a.ovpack"));
  expect(await readFile(path, "utf8")).toBe("pack");
});

it.each(["missing/../a", "missing/../../outside/a", "../outside/a", "a/..", "..", "missing/../link/a"])(
  "an export to a path with .. makes no folder and no file: %s",
  async (to) => {
    await symlink(home.path, join(shelf, "link"));
    expect(await codeOf(written(`${shelf}/${to}`))).toBe("INVALID_ARGUMENT");
    expect(
      ["missing", "../outside", "a.ovpack", "a"].filter((name) => existsSync(join(shelf, name))),
    ).toEqual([]);
  },
);
