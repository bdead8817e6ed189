import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a temporary folder and returns it with a function that removes it and everything created next to
 * it, such as a server's backups. The removal is retried while a stopping server writes its last files.
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
