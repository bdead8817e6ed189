import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Budget } from "../../../src/base/budget.ts";
import { overBudget } from "../../../src/domain/errors.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { AddressGuard } from "../../../src/ingest/fetch/guard.ts";
import { ImportFilter } from "../../../src/ingest/import-filter.ts";
import { openRemote } from "../../../src/ingest/source-remote.ts";
import { longestShare } from "../../support/longest-stretch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { codeOf } from "../../support/tenant.ts";
import { serveWeb, type WebServer } from "../../support/web-server.ts";

const MIB = 1024 * 1024;
const LINE = "Чайка над гаванью. ";
/** The same in windows-1251, a byte for each character. */
const BYTES = Buffer.from(
  [...LINE].map((character) => {
    const code = character.charCodeAt(0);
    return code < 0x80 ? code : code - 0x410 + 0xc0;
  }),
);
const LINES = Math.floor((16 * MIB) / BYTES.length);

const EVERYTHING = { ignoreDirs: "", include: "", exclude: "" };
const OPENING = {
  workspace: workspaceId(1),
  signal: new AbortController().signal,
  onFetched: () => undefined,
};

let web: WebServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  web = await serveWeb(folder.path);
});
afterEach(async () => {
  await web.close();
  await folder.remove();
});

const roomOf = (bytes: number) =>
  new Budget<number>({ perKey: bytes, total: bytes }, overBudget("scratch disk"));
const depsWith = (room: Budget<number>) => ({
  guard: new AddressGuard(true),
  scratch: { folder: temporaryFolder },
  room,
  limits: { maxFiles: 10, maxBytes: 128 * MIB, maxFileBytes: 128 * MIB },
});

const serveRareText = () =>
  web.pages.set("/a.txt", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain; charset=windows-1251" });
    response.end(Buffer.alloc(LINES * BYTES.length, BYTES));
  });

it("a page of 16 MiB in a rare character set is decoded over several turns of the event loop", async () => {
  serveRareText();
  let text: Buffer = Buffer.alloc(0);
  const share = await longestShare(async () => {
    const source = await openRemote(
      { kind: "url", url: `${web.base}/a.txt` },
      new ImportFilter(EVERYTHING),
      depsWith(roomOf(1)),
      OPENING,
    );
    text = Buffer.from(((await source.files[0]?.read()) ?? Buffer.alloc(0)).buffer);
  });
  const line = Buffer.from(LINE);
  expect(text.subarray(0, 3 + line.length).toString()).toBe(`\ufeff${LINE}`);
  expect(text.byteLength).toBe(3 + LINES * line.length);
  expect(text.subarray(-line.length).toString()).toBe(LINE);
  expect(share).toBeLessThan(0.2);
});

it("a page in a rare character set may be no larger in UTF-8 than any file", async () => {
  serveRareText();
  const deps = depsWith(roomOf(1));
  const limits = { ...deps.limits, maxFileBytes: 20 * MIB };
  const opening = openRemote(
    { kind: "url", url: `${web.base}/a.txt` },
    new ImportFilter(EVERYTHING),
    { ...deps, limits },
    OPENING,
  );
  await expect(opening).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("the files of a repository count as scratch disk of the account from their unpacking until the import ends", async () => {
  const work = join(folder.path, "work");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { stdio: "ignore" });
  git("init", "-q", "-b", "main", work);
  await writeFile(join(work, "a.txt"), "A line of text.\n".repeat(200_000));
  git("-C", work, "add", ".");
  git("-C", work, "commit", "-q", "-m", "one");
  git("clone", "-q", "--bare", work, join(folder.path, "a.git"));
  const opened = (room: Budget<number>) =>
    openRemote(
      { kind: "git", url: `${web.base}/a.git` },
      new ImportFilter(EVERYTHING),
      depsWith(room),
      OPENING,
    );
  const small = roomOf(MIB);
  expect(await codeOf(opened(small))).toBe("RESOURCE_EXHAUSTED");
  expect(small.used()).toBe(0);
  const room = roomOf(16 * MIB);
  const source = await opened(room);
  expect(room.used(workspaceId(1))).toBeGreaterThan(3_200_000);
  expect(
    Buffer.from((await source.files[0]?.read()) ?? [])
      .subarray(0, 6)
      .toString(),
  ).toBe("A line");
  await source.close?.();
  expect(room.used()).toBe(0);
});
