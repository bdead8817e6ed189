import type { WorkspaceId } from "../../domain/ids.ts";
/** A parsed file: input for storage, index and layers. */
export interface Parsed {
  readonly kind: "markdown" | "text" | "data" | "html" | "document" | "code" | "binary";
  readonly mime: string;
  /** Character encoding; absent for binary files. */
  readonly encoding?: string;
  /**
   * The first top-level heading, `<title>` or front matter title, otherwise the file name without extension;
   * never empty.
   */
  readonly title: string;
  /** Description by the author: from front matter, metadata or a module's doc comment. */
  readonly description?: string;
  /** The indexed text, to which chunk offsets refer; "" for binary files. */
  readonly text: string;
  /**
   * The text of a converted format (HTML, documents) as Markdown, stored as `<stem>.md` next to the original;
   * equal to `text`.
   */
  readonly converted?: string;
  /**
   * Sections of a Markdown, plain or converted text above 1,000 estimated tokens. Concatenated in order, they
   * equal `text`.
   */
  readonly sections?: readonly Section[];
  /** Length of a recording or video in seconds, if known. */
  readonly seconds?: number;
  /**
   * Summary of the structure for the overview. Code: signatures with doc comments; Markdown: headings; data:
   * top-level keys; binary: type and size.
   */
  readonly outline: string;
  /** Warnings for the caller, without the file name. */
  readonly warnings: readonly string[];
  /** Why a file of a known format could not be read and is stored as a binary file; without the file name. */
  readonly error?: string;
}

/** A part of a long document, stored as a separate file below `<stem>/`. */
export interface Section {
  /**
   * Path below `<stem>/`: segments that are valid in a URI and unique; the last is a file name ending in
   * `.md`. Sorted by name, sections are in the order of the text.
   */
  readonly path: readonly string[];
  readonly title: string;
  /** Titles of the headings above the section, and of its own first heading. */
  readonly headings: readonly string[];
  readonly text: string;
}

export interface ParseOptions {
  /** Account (incarnation); waiting files of different accounts take turns. */
  readonly workspace: WorkspaceId;
  /** Whether an unreadable file of a known format is an error instead of a binary file. */
  readonly strict?: boolean;
  /** Base URL for the links of an HTML page. */
  readonly base?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of the bytes, if known; avoids parsing a recently parsed file again. */
  readonly hash?: string | undefined;
}

/**
 * Parses a file by its name and bytes. Throws only INVALID_ARGUMENT (under `strict`), UNAVAILABLE, and the
 * signal's reason, whatever the bytes.
 */
export type Parse = (name: string, bytes: Uint8Array, options: ParseOptions) => Promise<Parsed>;
