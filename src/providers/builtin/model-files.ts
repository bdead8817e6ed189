import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../../domain/errors.ts";

/**
 * Reads files of a folder and verifies them against the SHA-256 in its `MANIFEST.json`. Throws
 * EMBEDDING_FAILED if a file is missing, unlisted or different.
 */
export function modelFiles(folder: string): (name: string) => Buffer {
  const { files }: { files: Record<string, { sha256: string }> } = JSON.parse(
    read(folder, "MANIFEST.json").toString(),
  );
  return (name) => {
    const bytes = read(folder, name);
    if (createHash("sha256").update(bytes).digest("hex") !== files[name]?.sha256) throw damaged(name);
    return bytes;
  };
}

function read(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (cause) {
    throw damaged(name, cause);
  }
}

const damaged = (name: string, cause?: unknown) =>
  new ServiceError(
    "EMBEDDING_FAILED",
    `the built-in embedding model cannot be read: its file ${name} is missing or damaged; install ctxdb again`,
    { file: name },
    { cause },
  );
