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
   * What its author says it is: front matter or meta description, description in metadata, doc comment of a
   * module.
   */
  readonly description?: string;
  /** Indexed text, to which chunk offsets refer; "" for binary files. */
  readonly text: string;
  /**
   * The text of a converted format (HTML, documents) as Markdown, equal to `text`: stored as `<stem>.md`
   * beside the original.
   */
  readonly converted?: string;
  /**
   * The parts of a Markdown, plain or converted text above 1,000 estimated tokens. In order they concatenate
   * to `text`.
   */
  readonly sections?: readonly Section[];
  /** Duration of a recording or film in seconds, if known. */
  readonly seconds?: number;
  /**
   * For the overview. Code: signatures with doc comments; Markdown: headings; data: top keys; binary: type
   * and size.
   */
  readonly outline: string;
  /** For the caller, without the name of the file. */
  readonly warnings: readonly string[];
  /** Why a known format could not be read and is kept as a binary file, without its name. */
  readonly error?: string;
}

/** A part of a long document, stored as a file of its own below `<stem>/`. */
export interface Section {
  /**
   * Segments below `<stem>/`, legal in a URI and unique; the last is a file name that ends in `.md`. Sorted
   * by name they stand in the order of the text.
   */
  readonly path: readonly string[];
  readonly title: string;
  /** Titles of the headings above the section, and of its first own one. */
  readonly headings: readonly string[];
  readonly text: string;
}

export interface ParseOptions {
  /** The incarnation of the account: accounts take turns where files wait. */
  readonly workspace: WorkspaceId;
  /** A known format that cannot be read is an error instead of a binary file. */
  readonly strict?: boolean;
  /** The address of an HTML page, against which its links are resolved. */
  readonly base?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of the bytes, where the caller has it: what was read a moment ago is not read again. */
  readonly hash?: string | undefined;
}

/**
 * Reads a file by its name and bytes. Throws INVALID_ARGUMENT under `strict`, UNAVAILABLE, and the reason of
 * the signal; nothing else, whatever the bytes.
 */
export type Parse = (name: string, bytes: Uint8Array, options: ParseOptions) => Promise<Parsed>;
