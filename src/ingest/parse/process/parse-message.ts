import type { Parsed, Section } from "../parsed.ts";

/** Request to a parsing process; the file's bytes are attached. */
export type ChildCall = ParseCall | ShowCall;

export interface ParseCall {
  readonly name: string;
  readonly base?: string | undefined;
}

/** Request to convert a picture for models; the response's bytes are the picture. */
export interface ShowCall {
  readonly show: true;
}

/** Response if the file or picture cannot be read. */
export interface Unread {
  readonly unreadable: string;
}

/**
 * Response of a parsing process. The attached bytes are the sections as JSON lines, the outline as UTF-8,
 * then the text. These are not part of the JSON value, which is parsed without a yield and could be made
 * costly by a compromised process.
 */
export interface PackedParsed extends Omit<Parsed, "text" | "converted" | "sections" | "outline"> {
  readonly isConverted: boolean;
  readonly hasSections: boolean;
  readonly sectionBytes: number;
  readonly outlineBytes: number;
  readonly encodedAs: TextEncoding;
}

/** A section without its text. The texts have these lengths and together form the whole text. */
export type PackedSection = Omit<Section, "text"> & { readonly length: number };

/** Encodings that decode as fast as memory is copied. */
export const TEXT_ENCODINGS = ["latin1", "utf16le"] as const;
type TextEncoding = (typeof TEXT_ENCODINGS)[number];
export const BYTES_PER_UNIT: Readonly<Record<TextEncoding, number>> = { latin1: 1, utf16le: 2 };

/** Maximum lengths in UTF-16 units. Both the process and the server hold the text in memory. */
export const MAX_TEXT_LENGTH = 64 * 1024 * 1024;
export const MAX_OUTLINE_LENGTH = 256 * 1024;
/** Maximum length of titles, descriptions and each warning. */
export const MAX_LINE_LENGTH = 2000;
/** Maximum number of warnings, and maximum length of all together. */
export const MAX_WARNINGS = 1000;
export const MAX_WARNINGS_LENGTH = 32 * 1024;

const NOT_LATIN_1 = /[^\x00-\xff]/;

export function pack({ text, converted, sections, outline, ...rest }: Parsed): {
  readonly parsed: PackedParsed;
  readonly bytes: Uint8Array;
} {
  const encodedAs = NOT_LATIN_1.test(text) ? "utf16le" : "latin1";
  const lines = (sections ?? []).map(
    ({ text: part, ...section }) =>
      `${JSON.stringify({ ...section, length: part.length } satisfies PackedSection)}\n`,
  );
  const sectionLines = Buffer.from(lines.join(""));
  const shownOutline = Buffer.from(outline.slice(0, MAX_OUTLINE_LENGTH));
  const before = sectionLines.byteLength + shownOutline.byteLength;
  const bytes = Buffer.allocUnsafeSlow(before + text.length * BYTES_PER_UNIT[encodedAs]);
  sectionLines.copy(bytes);
  shownOutline.copy(bytes, sectionLines.byteLength);
  bytes.write(text, before, encodedAs);
  const parsed = {
    ...rest,
    ...(rest.description !== undefined && { description: cut(rest.description) }),
    ...(rest.error !== undefined && { error: cut(rest.error) }),
    title: cut(rest.title),
    warnings: firstOf(rest.warnings),
    isConverted: converted !== undefined,
    hasSections: sections !== undefined,
    sectionBytes: sectionLines.byteLength,
    outlineBytes: shownOutline.byteLength,
    encodedAs,
  } as const;
  return { parsed, bytes };
}

const cut = (line: string): string => line.slice(0, MAX_LINE_LENGTH);

function firstOf(warnings: readonly string[]): string[] {
  let room = MAX_WARNINGS_LENGTH;
  return warnings
    .slice(0, MAX_WARNINGS)
    .map(cut)
    .filter((warning) => {
      room -= warning.length;
      return room >= 0;
    });
}
