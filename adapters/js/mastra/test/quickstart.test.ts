import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the quickstart prints what the README shows", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const shown = /```text\n(.*?)```/s.exec(readme)?.[1];
  const env = { ...process.env, CTXDB_USER: `u${randomUUID()}` };
  const { stdout } = await promisify(execFile)(process.execPath, ["examples/quickstart.mjs"], { env });
  expect(stdout).toBe(shown);
});
