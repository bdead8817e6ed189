import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A folder of its own, and what removes it with all that was laid next to it, such as a server's backups. A
 * removal is tried again while a server that ends writes its last files.
 */
export async function temporaryFolder(): Promise<{
  readonly path: string;
  readonly remove: () => Promise<void>;
}> {
  const parent = await mkdtemp(join(tmpdir(), "ctxdb-test-"));
  const path = join(parent, "folder");
  await mkdir(path);
  return { path, remove: () => rm(parent, { recursive: true, force: true, maxRetries: 5 }) };
}
