import { z } from "zod";
import { RESERVED_NAMES } from "../../domain/scope.ts";
import { areTags } from "../../domain/tags.ts";
import { MAX_URI_BYTES, type Path, segmentFault } from "../../domain/uri.ts";

/**
 * A pack is a zip file (docs/api.md, "Packs"): the files below `files/`, one line per file and folder, one
 * line per relation between them, and a manifest. The manifest has the hashes of the line files, and the
 * lines have the hashes of the files.
 */
export const FORMAT = "ctxdb-pack";
export const VERSION = 1;
export const MANIFEST = "manifest.json";
export const NODES = "nodes.jsonl";
export const RELATIONS = "relations.jsonl";
export const VECTORS = "vectors.jsonl";
export const FILES = "files/";

/**
 * Maximum bytes of a file that is parsed; a larger one is streamed to the store and found only by its name.
 */
export const MAX_PARSED_BYTES = 64 * 1024 * 1024;
export const MAX_MANIFEST_BYTES = 64 * 1024;
export const MAX_LINE_BYTES = 512 * 1024;
/**
 * Maximum number of values and names in a line, which is validated in one step. A line of vectors that this
 * version writes has 9,000.
 */
export const MAX_LINE_VALUES = 12_000;
export const MAX_RELATIONS = 100_000;
const MAX_REASON_BYTES = 4096;
const MAX_ABSTRACT_LENGTH = 16 * 1024;
const MAX_OVERVIEW_LENGTH = 64 * 1024;
/** Maximum length of metadata: the metadata of a fact file contains up to 250 source messages. */
const MAX_META_LENGTH = 256 * 1024;

/** Vectors have unit length: no component exceeds 1, except for rounding. */
const MAX_SCALE = 0.01;
const MAX_LENGTH = 1.05;

/** Scope of a pack; a pack can only be imported into the same scope. */
export const SCOPES = ["resources", "skills", "user", "agent"] as const;
export type PackScope = (typeof SCOPES)[number];

/** The scope of a path; undefined if the path cannot be packed. */
export function packScope(path: Path): PackScope | undefined {
  const scope = path[0] === "agent" && path[1] === "skills" ? "skills" : path[0];
  return SCOPES.find((known) => known === scope);
}

/** Lone surrogates are replaced, because the text is sent in responses. */
const text = z.string().overwrite((value) => value.toWellFormed());
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** Restricted format, because it is sent as a header. */
const mime = z
  .string()
  .max(255)
  .regex(/^[\x20-\x7e]+$/);
/** Unix time in ms. */
const time = z.number().min(0).max(8.64e15);

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  scope: z.enum(SCOPES),
  /** Name of the file or folder that contains everything else. */
  root: z.string(),
  files: count,
  directories: count,
  /** Total size of all files in bytes. */
  bytes: count,
  relations: count,
  created_at: z.string(),
  /** SHA-256 of the other members. */
  sha256: z.object({ [NODES]: hash, [RELATIONS]: hash, [VECTORS]: hash.optional() }),
  /** Vector space of the pack; vectors are comparable only within one space. */
  vectors: z.object({ space: z.string().max(200), dimensions: z.int().min(1).max(8192) }).optional(),
});
export type PackManifest = z.infer<typeof manifestSchema>;

/** Provenance of a fact, reduced to the known fields. */
const fact = z.object({
  text,
  slot: text.optional(),
  answer: text.optional(),
  date: text,
  sources: z.array(z.object({ session: text, archive: count, messages: z.array(text) })),
});

/**
 * Metadata of an import's root, a skill or a fact file. Other code relies on its structure; unknown fields
 * are dropped.
 */
const metaSchema = z.object({
  source: text.optional(),
  source_id: text.optional(),
  reason: text.optional(),
  instruction: text.optional(),
  import: z
    .object({
      kind: text,
      ignore_dirs: text,
      include: text,
      exclude: text,
      strict: z.boolean(),
      build_index: z.boolean(),
      summarize: z.boolean().optional(),
    })
    .optional(),
  name: text.optional(),
  description: text.optional(),
  tags: z.array(text).optional(),
  allowed_tools: z.array(text).optional(),
  facts: z
    .object({
      category: z.enum(["profile", "preferences", "entities", "cases", "patterns"]),
      topic: text,
      facts: z.array(fact),
      earlier: z.array(fact),
    })
    .optional(),
});

export const nodeSchema = z.object({
  /** Path that starts with the root's name. */
  path: z.string(),
  kind: z.enum(["file", "directory"]),
  size: count,
  /** Only for files. */
  sha256: hash.optional(),
  mime: mime.optional(),
  created: time,
  modified: time,
  /** Both layers or neither; a `described` directory may have only the abstract. */
  abstract: text.max(MAX_ABSTRACT_LENGTH).optional(),
  overview: text.max(MAX_OVERVIEW_LENGTH).optional(),
  /** The abstract was given by a caller and is not regenerated. */
  described: z.literal(true).optional(),
  tags: z.array(text).refine(areTags).optional(),
  meta: metaSchema.refine((meta) => JSON.stringify(meta).length <= MAX_META_LENGTH).optional(),
});
export type PackNode = z.infer<typeof nodeSchema>;

export const relationSchema = z.object({
  from: z.string(),
  to: z.string(),
  reason: text.refine((reason) => Buffer.byteLength(reason) <= MAX_REASON_BYTES),
  created: time,
});
export type PackRelation = z.infer<typeof relationSchema>;

export const vectorsSchema = z.object({
  path: z.string(),
  /**
   * For each chunk of the file: start, end, and components `values[i] × scale` (8-bit integers in base64).
   */
  pieces: z.array(
    z.object({ start: count, end: count, scale: z.number().min(0).max(MAX_SCALE), values: z.base64() }),
  ),
});
export type PackVectors = z.infer<typeof vectorsSchema>;

/** Whether a vector has the expected dimensions and length. */
export function isVector(
  { scale, values }: PackVectors["pieces"][number],
  dimensions: number | undefined,
): boolean {
  const bytes = Buffer.from(values, "base64");
  const components = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return components.length === dimensions && scale * Math.hypot(...components) <= MAX_LENGTH;
}

/** Parses a path in a pack; undefined if it is invalid. */
export function packPath(text: string): Path | undefined {
  if (text.length > MAX_URI_BYTES || text !== text.normalize("NFC")) return undefined;
  const path = text.split("/");
  return path.some((name) => segmentFault(name) !== undefined || RESERVED_NAMES.has(name)) ? undefined : path;
}
