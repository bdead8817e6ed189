import { EventLoopYielder } from "../base/event-loop.ts";
import { lastOf } from "../base/expect.ts";
import { sha256InTurns } from "../base/sha256.ts";
import { ServiceError } from "../domain/errors.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { sectionsName, textName } from "../domain/text/names.ts";
import type { NewChunk, NewDirectory, NewFile } from "../workspace/tree/builder.ts";
import type { Contents } from "../workspace/tree/contents.ts";
import { utf8InTurns } from "./large-bytes.ts";
import type { Parse, Parsed, Section } from "./parse/parsed.ts";

/**
 * Splits a text into chunks with terms and instant vectors; `title` precedes each chunk (retrieval.md).
 * Injected, because splitting belongs to `enrich`.
 */
export type Chunker = (
  text: string,
  about: { readonly title: string; readonly kind: Parsed["kind"]; readonly headings?: readonly string[] },
) => Promise<NewChunk[]>;

/** Parser and chunker of an import. */
export interface FileReading {
  readonly parse: Parse;
  readonly chunk: Chunker;
}

export interface PrepareOptions {
  /** Account (incarnation). */
  readonly workspace: WorkspaceId;
  readonly strict: boolean;
  readonly index: boolean;
  /** Whether a name is in use in the file's directory, also by the file itself. */
  readonly isTaken: (name: string) => boolean;
  readonly signal?: AbortSignal;
  /** URL from which the file was fetched. */
  readonly base?: string | undefined;
  /** Name for warnings and errors, if different from the file name. */
  readonly shown?: string;
}

/** A file ready to be built. Call `release` after the linking transaction, even if that failed. */
export interface Prepared {
  readonly file: NewFile;
  readonly warnings: readonly string[];
  /** Why a file of a known format is stored without its text. */
  readonly errors: readonly string[];
  readonly release: () => void;
}

const MARKDOWN = "text/markdown";

/** A parsed file. */
export interface ReadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly parsed: Parsed;
}

/** Parses a file. Throws like Parse; errors contain the file's path. */
export async function readFile(
  deps: Pick<FileReading, "parse">,
  { name, bytes, hash }: Omit<ReadFile, "parsed">,
  { workspace, strict, signal, base, shown = name }: Omit<PrepareOptions, "index" | "isTaken">,
): Promise<ReadFile> {
  const parsed = await deps
    .parse(name, bytes, { workspace, strict, signal, hash, base })
    .catch((error: unknown) => {
      throw placed(error, name, shown);
    });
  return { name, bytes, hash, parsed };
}

/** Does all work before the transaction: parses a file, stores its contents and splits its text. */
export async function prepareFile(
  deps: FileReading & { contents: Contents },
  name: string,
  bytes: Uint8Array,
  options: PrepareOptions,
): Promise<Prepared> {
  return prepareParsed(
    deps,
    await readFile(deps, { name, bytes, hash: await sha256InTurns(bytes) }, options),
    options,
  );
}

/** Like `prepareFile`, for a file that is already parsed. */
export async function prepareParsed(
  deps: Pick<FileReading, "chunk"> & { contents: Contents },
  { name, bytes, hash, parsed }: ReadFile,
  options: Pick<PrepareOptions, "index" | "isTaken" | "shown">,
): Promise<Prepared> {
  const { shown = name } = options;
  const releases: (() => void)[] = [];
  const store = async (
    fileName: string,
    mime: string,
    content: Uint8Array,
    chunks: () => Promise<NewChunk[]>,
  ): Promise<NewFile> => {
    const stored = await deps.contents.store(content);
    releases.push(stored.release);
    const base = {
      name: fileName,
      mime,
      size: content.byteLength,
      hash: content === bytes ? hash : await sha256InTurns(content),
      content: stored.content,
    };
    await yielder.yieldIfDue();
    return options.index ? { ...base, chunks: await chunks() } : { ...base, chunks: [], unindexed: true };
  };
  const yielder = new EventLoopYielder();
  const whole = () => deps.chunk(parsed.text, parsed);
  const nothing = async () => [];
  const isLong = parsed.sections !== undefined;
  const original = await store(name, parsed.mime, bytes, () =>
    isLong || parsed.converted !== undefined ? nothing() : whole(),
  );
  const text =
    parsed.converted === undefined
      ? undefined
      : await store(textName(name, options.isTaken), MARKDOWN, await utf8InTurns(parsed.converted), () =>
          isLong ? nothing() : whole(),
        );
  const isTaken = (other: string) => other === text?.name || options.isTaken(other);
  const sections =
    parsed.sections && (await sectionTree(sectionsName(name, isTaken), parsed.sections, sectionFile));
  return {
    file: { ...original, ...(text && { text }), ...(sections && { sections }) },
    warnings: parsed.warnings.map((warning) => `${shown}: ${warning}`),
    errors: parsed.error === undefined ? [] : [`${shown}: ${parsed.error}`],
    release: all(releases),
  };

  async function sectionFile(section: Section): Promise<NewFile> {
    const headings = section.headings[0] === parsed.title ? section.headings.slice(1) : section.headings;
    return store(lastOf(section.path), MARKDOWN, await utf8InTurns(section.text), () =>
      deps.chunk(section.text, { title: parsed.title, kind: parsed.kind, headings }),
    );
  }
}

/** A top-level function, so that the closure, which lives until the import ends, does not retain the file. */
const all = (releases: readonly (() => void)[]) => () => {
  for (const release of releases) release();
};

/** Replaces the base name in a parser's error by the path. */
function placed(error: unknown, name: string, shown: string): unknown {
  if (!(error instanceof ServiceError) || shown === name) return error;
  const place = (text: unknown) =>
    typeof text === "string" && text.startsWith(`${name}:`) ? shown + text.slice(name.length) : text;
  const { errors, ...details } = error.details ?? {};
  return new ServiceError(error.code, String(place(error.message)), {
    ...details,
    ...(Array.isArray(errors) && { errors: errors.map(place) }),
  });
}

/** Prepares a document's sections as a directory. */
async function sectionTree(
  name: string,
  sections: readonly Section[],
  build: (section: Section) => Promise<NewFile>,
): Promise<NewDirectory> {
  interface Growing {
    readonly name: string;
    readonly files: NewFile[];
    readonly directories: Growing[];
  }
  const root: Growing = { name, files: [], directories: [] };
  for (const section of sections) {
    let at = root;
    for (const step of section.path.slice(0, -1)) {
      let next = at.directories.find((directory) => directory.name === step);
      if (!next) {
        next = { name: step, files: [], directories: [] };
        at.directories.push(next);
      }
      at = next;
    }
    at.files.push(await build(section));
  }
  return root;
}
