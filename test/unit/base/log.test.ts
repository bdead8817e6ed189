import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLog } from "../../../src/base/log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("writes every line before close resolves, and no key", async () => {
  const folder = await temporaryFolder();
  const file = join(folder.path, "log");
  const descriptor = openSync(file, "w");
  const { log, close } = openLog("info", descriptor);
  log.debug("unheard");
  log.info(
    { key: "ctx_secret", headers: { authorization: "Bearer ctx_secret", "x-api-key": "ctx_secret" }, config: { rootApiKey: "ctx_secret" } },
    "first",
  );
  for (let i = 0; i < 2000; i++) log.info({ i }, "line");
  await close();
  const text = await readFile(file, "utf8");
  const lines = text.trim().split("\n");
  expect(lines).toHaveLength(2001);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, msg: "first", key: "[redacted]" });
  expect(text).not.toContain("ctx_secret");
  try {
    closeSync(descriptor);
  } catch {
    // the log has closed it
  }
  await folder.remove();
});
