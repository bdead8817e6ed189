import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openZip } from "../../../src/ingest/zip.ts";
import { archiveOf } from "../../support/archive.ts";
import { longestShare } from "../../support/longest-stretch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("the directory of a zip with thousands of members is read over several turns of the event loop", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "many.zip");
  const members = Array.from({ length: 6000 }, (_, i) => [`folder/member-${i}.md`, ""] as const);
  await writeFile(path, await archiveOf(members));
  const limits = { maxFiles: 10_000, maxBytes: 1024 * 1024, field: "temp_path" };
  const longest = await longestShare(async () => {
    const archive = await openZip(path, limits);
    expect(archive.members.size).toBe(members.length);
    await archive.close();
  });
  expect(longest).toBeLessThan(0.4);
});
