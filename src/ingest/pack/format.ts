import { z } from "zod";
import { RESERVED_NAMES } from "../../domain/scope.ts";
import { areTags } from "../../domain/tags.ts";
import { type Path, segmentFault } from "../../domain/uri.ts";

/**
 * A pack is a zip (docs/api.md, "Packs"): the files below `files/`, a line for each file and folder, a line
 * for each relation between them, and a manifest with the hashes of the lines, which have those of the files.
 */
export const FORMAT = "ctxdb-pack";
export const VERSION = 1;
export const MANIFEST = "manifest.json";
export const NODES = "nodes.jsonl";
export const RELATIONS = "relations.jsonl";
export const VECTORS = "vectors.jsonl";
export const FILES = "files/";

export const MAX_MANIFEST_BYTES = 64 * 1024;
export const MAX_LINE_BYTES = 512 * 1024;
export const MAX_RELATIONS = 100_000;
const MAX_REASON_BYTES = 4096;
const MAX_ABSTRACT_LENGTH = 16 * 1024;
const MAX_OVERVIEW_LENGTH = 64 * 1024;
/** A file of facts has the source messages of up to 250 of them. */
const MAX_META_LENGTH = 256 * 1024;

/** Vectors have unit length: no component is above 1, except for rounding. */
const MAX_SCALE = 0.01;
const MAX_LENGTH = 1.05;

/** Scope of a pack: it can only be imported into the same scope. */
export const SCOPES = ["resources", "skills", "user", "agent"] as const;
export type PackScope = (typeof SCOPES)[number];

/** The scope of a path; undefined if it cannot be packed. */
export function packScope(path: Path): PackScope | undefined {
  const scope = path[0] === "agent" && path[1] === "skills" ? "skills" : path[0];
  return SCOPES.find((known) => known === scope);
}

/** Sent on every wire, so half surrogate pairs are replaced. */
const text = z.string().overwrite((value) => value.toWellFormed());
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
/** Sent as a header with the bytes. */
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
  /** Bytes of all files. */
  bytes: count,
  relations: count,
  created_at: z.string(),
  /** SHA-256 of the other members. */
  sha256: z.object({ [NODES]: hash, [RELATIONS]: hash, [VECTORS]: hash.optional() }),
  /** Vector space of the pack: vectors compare only within one space. */
  vectors: z.object({ space: z.string().max(200), dimensions: z.int().min(1).max(8192) }).optional(),
});
export type PackManifest = z.infer<typeof manifestSchema>;

/** Provenance of a fact; only the fields in use. */
const fact = z.object({
  text,
  slot: text.optional(),
  answer: text.optional(),
  date: text,
  sources: z.array(z.object({ session: text, archive: count, messages: z.array(text) })),
});

/**
 * Metadata of a node: of an import's root, a skill, or a file of facts. Other code relies on its form;
 * unknown fields are dropped.
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
  /** From the root on. */
  path: z.string(),
  kind: z.enum(["file", "directory"]),
  size: count,
  /** Files only. */
  sha256: hash.optional(),
  mime: mime.optional(),
  created: time,
  modified: time,
  /** Both layers or none; only the abstract for a `described` directory. */
  abstract: text.max(MAX_ABSTRACT_LENGTH).optional(),
  overview: text.max(MAX_OVERVIEW_LENGTH).optional(),
  /** A caller gave the abstract; it is not regenerated. */
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
  /** For each piece of the file: start, end, and components `values[i] × scale` (8-bit numbers in base64). */
  pieces: z.array(
    z.object({ start: count, end: count, scale: z.number().min(0).max(MAX_SCALE), values: z.base64() }),
  ),
});
export type PackVectors = z.infer<typeof vectorsSchema>;

/** Whether a vector has the right dimensions and norm. */
export function isVector(
  { scale, values }: PackVectors["pieces"][number],
  dimensions: number | undefined,
): boolean {
  const bytes = Buffer.from(values, "base64");
  const components = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return components.length === dimensions && scale * Math.hypot(...components) <= MAX_LENGTH;
}

/** The names of a pack's path; undefined if it is invalid. */
export function packPath(text: string): Path | undefined {
  if (text !== text.normalize("NFC")) return undefined;
  const path = text.split("/");
  return path.some((name) => segmentFault(name) !== undefined || RESERVED_NAMES.has(name)) ? undefined : path;
}
