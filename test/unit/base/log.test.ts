import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type LogFormat, openLog } from "../../../src/base/log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function logFile(format: LogFormat = "json") {
  const folder = await temporaryFolder();
  const file = join(folder.path, "log");
  const descriptor = openSync(file, "w");
  const remove = async () => {
    try {
      closeSync(descriptor);
    } catch {
      // the log has closed it
    }
    await folder.remove();
  };
  return { ...openLog("info", { descriptor, format }), read: () => readFile(file, "utf8"), remove };
}

it("the log writes every line before close resolves, and never a key", async () => {
  const { log, close, read, remove } = await logFile();
  log.debug("unheard");
  log.info(
    {
      key: "ctx_secret",
      headers: { authorization: "Bearer ctx_secret", "x-api-key": "ctx_secret" },
      config: { rootApiKey: "ctx_secret" },
    },
    "first",
  );
  for (let i = 0; i < 2000; i++) log.info({ i }, "line");
  await close();
  const text = await read();
  const lines = text.trim().split("\n");
  expect(lines).toHaveLength(2001);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, msg: "first", key: "[redacted]" });
  expect(text).not.toContain("ctx_secret");
  await remove();
});

it("the log writes lines of all levels in order without being closed", async () => {
  const { log, close, read, remove } = await logFile();
  const written = async () =>
    (await read())
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { msg: string }).msg]));
  log.info("one");
  log.warn("two");
  log.info("three");
  await expect.poll(written).toEqual(["one", "two", "three"]);
  await close();
  log.info("too late");
  expect(await written()).toEqual(["one", "two", "three"]);
  await remove();
});

it("the text log writes each call as one short, readable line", async () => {
  const { log, close, read, remove } = await logFile("text");
  log.info(
    {
      operation: "SearchService.Find",
      wire: "rest",
      code: "OK",
      request_id: "r-1",
      account: "acme",
      ms: 2.26,
    },
    "call",
  );
  log.warn({ job: "embed" }, "a job is tried again");
  await close();
  const lines = (await read()).trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: SearchService\.Find over rest: OK in 2\.3 ms$/);
  expect(lines[1]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: a job is tried again \{"job":"embed"\}$/);
  await remove();
});

it("the text log contains neither terminal escapes nor forged lines from a caller's error", async () => {
  const { log, close, read, remove } = await logFile("text");
  const hostile = "\u001b]0;owned\u0007\u009b2J\r\n[00:00:00] ERROR: forged";
  log.warn({ uri: hostile, err: new Error(hostile) }, hostile);
  await close();
  const text = await read();
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text.split("\n").filter((line) => line.startsWith("[00:00:00] ERROR: forged"))).toEqual([]);
  await remove();
});

it("the log writes JSON to a file unless text is requested", async () => {
  const { log, close, read, remove } = await logFile("auto");
  log.info("line");
  await close();
  expect(JSON.parse(await read())).toMatchObject({ msg: "line" });
  await remove();
});
