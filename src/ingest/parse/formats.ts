import { extensionOf } from "../../domain/names.ts";
import { MEDIA_FORMATS } from "./media-formats.ts";
import type { Parsed } from "./parsed.ts";

/** A file of a binary format, before its parser. */
export interface FormatFile {
  /** The stem of its name: the title of a document that has none. */
  readonly stem: string;
  readonly bytes: Uint8Array;
}

/** A binary format that is read for its text. All of them are untrusted and heavy, so they are read in a child process (parse-child.ts). */
export interface Format {
  /** As callers are told: "a PDF". */
  readonly name: string;
  readonly mime: string;
  readonly extensions: readonly string[];
  /** Throws Unreadable for what cannot be read. The parser and its libraries are loaded here, at the first file. */
  readonly read: (file: FormatFile) => Promise<Parsed>;
}

/** The formats by name: add one here, and everything else knows it. */
export const FORMATS: readonly Format[] = [...MEDIA_FORMATS];

const BY_EXTENSION = new Map(FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)));

/** The format of a file by its name. */
export function formatOf(name: string): Format | undefined {
  return BY_EXTENSION.get(extensionOf(name));
}
