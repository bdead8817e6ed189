import { itemAt } from "../base/expect.ts";
import { invalidArgument } from "../domain/errors.ts";
import { SKILL_FILE, type SkillHead, skillHead } from "../domain/skill.ts";
import { decodeBeginning } from "../domain/text/decode.ts";
import { filesOfArchive } from "./archive.ts";
import { readFrontMatter } from "./front-matter.ts";
import { ImportFilter } from "./import-filter.ts";
import type { ImportSource } from "./source.ts";
import type { SourceFile } from "./source-file.ts";
import { isZip, openZip } from "./zip.ts";

/** Maximum number of files in a skill, and maximum total bytes, packed and unpacked. */
const MAX_FILES = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum bytes of SKILL.md, which is read as a whole on each access. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** A skill: its document SKILL_FILE, and auxiliary files in the same folder. */
export interface SkillSource {
  readonly head: SkillHead;
  readonly files: readonly SourceFile[];
  readonly bytes: number;
  readonly warnings: readonly string[];
}

/** A skill that consists only of a document. */
export function skillOfText(document: string, field: string): SkillSource {
  const bytes = Buffer.from(document);
  checkDocument(bytes, field);
  return {
    head: skillHead(readFrontMatter(document, field)),
    files: [fileOf(SKILL_FILE, bytes)],
    bytes: bytes.byteLength,
    warnings: [],
  };
}

/** The head of a stored document; undefined if it is not (or no longer) valid. */
export function headOfDocument(bytes: Uint8Array): SkillHead | undefined {
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) return undefined;
  try {
    return skillHead(readFrontMatter(beginningOf(bytes, SKILL_FILE), SKILL_FILE));
  } catch {
    return undefined;
  }
}

/** Called with further bytes of memory before they are taken. May throw. */
type Hold = (bytes: number) => void;

/**
 * Reads a skill from a file, folder or archive. A single file is the document, whatever its name; otherwise
 * the document is named `SKILL.md` in any case. Throws INVALID_ARGUMENT naming `field` if the document is
 * missing or there are too many other files. The memory of `source` is counted already; `hold` gets that of
 * what an archive unpacks to.
 */
export async function skillOfSource(source: ImportSource, field: string, hold: Hold): Promise<SkillSource> {
  checkSize(source.files.length, source.bytes, field);
  if (source.isDirectory) return withDocument(source.files, source, field);
  const bytes = await source.files[0]?.read();
  if (!bytes) throw invalidArgument(field, `there is no skill file: ${SKILL_FILE} is missing`);
  if (isZip(bytes)) return skillOfArchive(bytes, field, hold);
  checkDocument(bytes, field);
  return withDocument(
    [fileOf(SKILL_FILE, bytes)],
    { bytes: bytes.byteLength, warnings: source.warnings },
    field,
  );
}

async function skillOfArchive(bytes: Uint8Array, field: string, hold: Hold): Promise<SkillSource> {
  const archive = await openZip(bytes, { maxFiles: MAX_FILES, maxBytes: MAX_BYTES, field, hold });
  hold(archive.bytes);
  const { files, ...about } = await filesOfArchive(
    archive,
    new ImportFilter({ ignoreDirs: "", include: "", exclude: "" }),
    MAX_BYTES,
  );
  return withDocument(files, about, field);
}

async function withDocument(
  files: readonly SourceFile[],
  about: Pick<ImportSource, "bytes" | "warnings">,
  field: string,
): Promise<SkillSource> {
  const isDocument = ({ relPath }: SourceFile) =>
    relPath.length === 1 && itemAt(relPath, 0).toLowerCase() === SKILL_FILE.toLowerCase();
  const [document, ...others] = files.filter(isDocument);
  if (!document || others.length > 0)
    throw invalidArgument(field, `must contain exactly one file ${SKILL_FILE}`);
  const bytes = await document.read();
  if (!bytes) throw invalidArgument(field, `${SKILL_FILE} cannot be read`);
  checkDocument(bytes, field);
  const head = skillHead(readFrontMatter(beginningOf(bytes, field), field));
  return {
    ...about,
    head,
    files: files.map((file) => (file === document ? fileOf(SKILL_FILE, bytes) : file)),
  };
}

/** The beginning of a document, which holds its front matter: decoding megabytes takes too long for a step. */
function beginningOf(bytes: Uint8Array, field: string): string {
  const decoded = decodeBeginning(bytes);
  if (!decoded) throw invalidArgument(field, "the skill file must be a text file");
  return decoded.text.trimStart();
}

function checkDocument({ byteLength }: Uint8Array, field: string): void {
  if (byteLength > MAX_DOCUMENT_BYTES)
    throw invalidArgument(
      field,
      `the skill file has ${byteLength} bytes; the limit is ${MAX_DOCUMENT_BYTES}`,
    );
}

function checkSize(files: number, bytes: number, field: string): void {
  if (files > MAX_FILES || bytes > MAX_BYTES)
    throw invalidArgument(field, `a skill must have at most ${MAX_FILES} files and ${MAX_BYTES} bytes`);
}

const fileOf = (name: string, bytes: Uint8Array): SourceFile => ({
  relPath: [name],
  read: async () => bytes,
});
