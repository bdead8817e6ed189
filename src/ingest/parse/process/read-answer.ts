import { z } from "zod";
import { EventLoopYielder } from "../../../base/event-loop.ts";
import type { AnswerLimits, ChildAnswer } from "../../../base/processes/child-process.ts";
import { fitsUri, segmentFault } from "../../../domain/uri.ts";
import type { Parsed, Section } from "../parsed.ts";
import { MAX_SECTIONS } from "../sections.ts";
import { Unreadable } from "../unreadable.ts";
import {
  BYTES_PER_UNIT,
  MAX_LINE_LENGTH,
  MAX_OUTLINE_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WARNINGS,
  MAX_WARNINGS_LENGTH,
  TEXT_ENCODINGS,
} from "./parse-message.ts";

/** Maximum bytes of one section's JSON line, which is parsed without a yield. */
const MAX_SECTION_BYTES = 64 * 1024;
const MAX_ALL_SECTIONS_BYTES = 16 * 1024 * 1024;
const MAX_OUTLINE_BYTES = 3 * MAX_OUTLINE_LENGTH;
const MAX_STEPS = 8;
const MAX_HEADINGS = 16;
const LINE_FEED = 10;

export const MAX_PARSE_ANSWER: AnswerLimits = {
  valueBytes: 256 * 1024,
  bytes: MAX_ALL_SECTIONS_BYTES + MAX_OUTLINE_BYTES + 2 * MAX_TEXT_LENGTH,
};

/** Repairs lone surrogates: titles may be cut inside a pair, and responses cannot contain half of one. */
const line = z
  .string()
  .max(MAX_LINE_LENGTH)
  .overwrite((value) => value.toWellFormed());
const size = z.int().min(0);

const unread = z.strictObject({ unreadable: line });
const parsedFile = z.strictObject({
  kind: z.enum(["markdown", "text", "data", "html", "document", "code", "binary"]),
  /** Restricted format, because it is sent as a header. */
  mime: z
    .string()
    .max(255)
    .regex(/^[\x21-\x7e]+\/[\x20-\x7e]+$/),
  encoding: z.string().max(64).optional(),
  title: line.min(1),
  description: line.optional(),
  seconds: z.number().min(0).max(1e9).optional(),
  /** An array with a maximum is measured before its items are validated. */
  warnings: z
    .array(line)
    .max(MAX_WARNINGS)
    .refine((all) => all.join("").length <= MAX_WARNINGS_LENGTH),
  error: line.optional(),
  isConverted: z.boolean(),
  hasSections: z.boolean(),
  sectionBytes: size.max(MAX_ALL_SECTIONS_BYTES),
  outlineBytes: size.max(MAX_OUTLINE_BYTES),
  encodedAs: z.enum(TEXT_ENCODINGS),
});
const packedSection = z.strictObject({
  path: z
    .array(z.string().refine((segment) => segmentFault(segment) === undefined))
    .max(MAX_STEPS)
    .refine((steps) => fitsUri(steps) && steps.at(-1)?.endsWith(".md")),
  title: line,
  headings: z.array(line).max(MAX_HEADINGS),
  length: size.max(MAX_TEXT_LENGTH),
});

/**
 * Validates the response of a parsing process. Every field is checked, because a hostile file may have
 * compromised a library there. Returns Unreadable if the process did.
 */
export async function readParsed({ value, bytes }: ChildAnswer): Promise<Parsed | Unreadable> {
  if (bytes === undefined) return readUnread(value);
  const { isConverted, hasSections, sectionBytes, outlineBytes, encodedAs, ...rest } =
    parsedFile.parse(value);
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = sectionBytes + outlineBytes;
  if (start > all.byteLength || (all.byteLength - start) % BYTES_PER_UNIT[encodedAs] !== 0)
    throw new Error("the text has fewer bytes than its parts");
  const text = all.toString(encodedAs, start);
  if (text.length > MAX_TEXT_LENGTH) throw new Error(`a text of ${text.length} characters`);
  const outline = all.toString("utf8", sectionBytes, start);
  const sections = hasSections ? await readSections(all.subarray(0, sectionBytes), text) : undefined;
  if (sections === undefined && sectionBytes > 0) throw new Error("the file has no sections");
  return { ...rest, outline, text, ...(isConverted && { converted: text }), ...(sections && { sections }) };
}

export function readPicture({ value, bytes }: ChildAnswer): Uint8Array | Unreadable {
  return bytes ?? readUnread(value);
}

function readUnread(value: unknown): Unreadable {
  return new Unreadable(unread.parse(value).unreadable);
}

/** Parses the sections and assigns them the consecutive parts of `text`. */
async function readSections(lines: Buffer, text: string): Promise<Section[]> {
  const loop = new EventLoopYielder();
  const sections: Section[] = [];
  const paths = new Set<string>();
  let offset = 0;
  for (let at = 0; at < lines.byteLength; ) {
    const end = lines.indexOf(LINE_FEED, at);
    if (end < 0 || end - at > MAX_SECTION_BYTES)
      throw new Error(`a section of more than ${MAX_SECTION_BYTES} bytes`);
    const { length, ...section } = packedSection.parse(JSON.parse(lines.toString("utf8", at, end)));
    sections.push({ ...section, text: text.slice(offset, offset + length) });
    paths.add(section.path.join("/"));
    if (paths.size < sections.length) throw new Error("two sections have the same name");
    if (sections.length > MAX_SECTIONS) throw new Error(`more than ${MAX_SECTIONS} sections`);
    offset += length;
    at = end + 1;
    await loop.yieldIfDue();
  }
  if (offset !== text.length) throw new Error(`sections of ${offset} characters of ${text.length}`);
  return sections;
}
