import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "../crash/random.ts";
import type { Server } from "../crash/server.ts";

/** From now on the server cannot write anything to its disk, as if that were full. */
export function fillDisk({ pid }: Server): void {
  execFileSync("prlimit", ["--pid", String(pid), "--fsize=0"]);
}

/** Changes a byte in a file of the copy of a stopped server. */
export async function damageCopy(folder: string, random: Random): Promise<void> {
  const copy = join(folder, "copy");
  const names = await readdir(copy).catch(() => []);
  const files = names.filter((name) => /^(?:\d+\.(?:log|ldb)|MANIFEST-\d+|CURRENT)$/.test(name));
  if (files.length === 0) return;
  const path = join(copy, random.pick(files));
  const bytes = await readFile(path);
  if (bytes.length === 0) return;
  const at = random.integer(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
}
