import type { WorkspaceId } from "../../domain/ids.ts";
/** Parsed file: input of storage, index and layers. */
export interface Parsed {
  readonly kind: "markdown" | "text" | "data" | "html" | "document" | "code" | "binary";
  readonly mime: string;
  /** Encoding; absent for binary files. */
  readonly encoding?: string;
  /** First top heading, `<title>` or front matter title, else the stem of the name; never empty. */
  readonly title: string;
  /**
   * The author's description: front matter or meta description, description in metadata, doc comment of a
   * module.
   */
  readonly description?: string;
  /** Indexed text, the base of chunk offsets; "" for binary files. */
  readonly text: string;
  /**
   * The text of a converted format (HTML, documents) as Markdown, equal to `text`: stored as `<stem>.md` next
   * to the original.
   */
  readonly converted?: string;
  /**
   * The parts of a Markdown, plain or converted text above 1,000 estimated tokens. Concatenated in order they
   * are `text`.
   */
  readonly sections?: readonly Section[];
  /** Duration of a recording or film in seconds, if known. */
  readonly seconds?: number;
  /**
   * For the overview. Code: signatures with doc comments; Markdown: headings; data: top keys; binary: type
   * and size.
   */
  readonly outline: string;
  /** For the caller, without the file's name. */
  readonly warnings: readonly string[];
  /** Why a file of a known format was unreadable and is stored as a binary file, without its name. */
  readonly error?: string;
}

/** A part of a long document, stored as a separate file below `<stem>/`. */
export interface Section {
  /**
   * Segments below `<stem>/`, legal in a URI and unique; the last is a file name that ends in `.md`. Sorting
   * by name gives the order of the text.
   */
  readonly path: readonly string[];
  readonly title: string;
  /** Titles of the headings above the section, and of its first own one. */
  readonly headings: readonly string[];
  readonly text: string;
}

export interface ParseOptions {
  /** The incarnation of the account: waiting files of different accounts take turns. */
  readonly workspace: WorkspaceId;
  /** An unreadable file of a known format is an error instead of a binary file. */
  readonly strict?: boolean;
  /** The base address for the links of an HTML page. */
  readonly base?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of the bytes, if known: a recently parsed file is not parsed again. */
  readonly hash?: string | undefined;
}

/**
 * Reads a file by its name and bytes. For any bytes it throws only INVALID_ARGUMENT under `strict`,
 * UNAVAILABLE, and the reason of the signal.
 */
export type Parse = (name: string, bytes: Uint8Array, options: ParseOptions) => Promise<Parsed>;
