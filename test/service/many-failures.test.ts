import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FAILING = 700;
const LINKS = 300;
/** Number of errors, and of warnings. */
const MOST = 64 * 1024;

interface Told {
  readonly errors: string[];
  readonly warnings: string[];
}

let served: Served;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  served = await serve({ CTXDB_LOCAL_PATHS: folder.path });
});
afterAll(async () => {
  await served.close();
  await folder.remove();
});

async function imported(name: string, fileName: (i: number) => string): Promise<Told> {
  const path = join(folder.path, name);
  await mkdir(path);
  for (let i = 0; i < FAILING; i++)
    await writeFile(join(path, `${fileName(i)}.docx`), "PK\x03\x04 not really a zip");
  for (let i = 0; i < LINKS; i++) await symlink("/etc/passwd", join(path, `link-${i}.md`));
  const { result } = await served.rest(ROOT_KEY, "POST resources", { path, strict: false });
  const { task_id } = result as { task_id: string };
  await served.rest(ROOT_KEY, "POST system/wait", {});
  const task = (await served.rest(ROOT_KEY, `GET tasks/${task_id}`)).result as { result: Told };
  return task.result;
}

it("a task names the first of many failures and counts the rest", async () => {
  const { errors, warnings } = await imported("short", (i) => `f${i}`);
  expect(errors[0]).toContain("f0.docx: ");
  expect(errors.at(-1)).toBe(`and ${FAILING - errors.length + 1} more`);
  expect(warnings).toContain(`and ${LINKS - 100} more that were skipped or renamed`);
  expect(warnings.filter((warning) => warning.includes("a link"))).toHaveLength(100);
});

it("a task record stays small even if names are long", async () => {
  const { errors } = await imported("long", (i) => `${i}-${"x".repeat(200)}`);
  expect(errors.join("").length).toBeLessThan(MOST + 100);
  expect(errors.at(-1)).toBe(`and ${FAILING - errors.length + 1} more`);
});
