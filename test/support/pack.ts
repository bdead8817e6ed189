import { sha256 } from "../../src/base/sha256.ts";
import { archiveOf } from "./archive.ts";

/** A line of a pack's lists. */
export type Line = Readonly<Record<string, unknown>>;

/** Parts of a pack; `manifest` replaces fields of the true one. */
export interface Pack {
  readonly nodes: readonly (Line | string)[];
  readonly relations?: readonly Line[];
  readonly vectors?: readonly Line[];
  /** Content by path from the root. */
  readonly files?: Readonly<Record<string, string>>;
  readonly manifest?: Line;
}

const TIMES = { created: 1, modified: 1 };
export const directoryLine = (path: string, more: Line = {}): Line => ({
  path,
  kind: "directory",
  size: 0,
  ...TIMES,
  ...more,
});
export const fileLine = (path: string, text = "x", more: Line = {}): Line => ({
  path,
  kind: "file",
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  ...TIMES,
  ...more,
});

/** A pack made by somebody who knows the format: every hash and count is correct. */
export function packed({ nodes, relations = [], vectors, files = {}, manifest = {} }: Pack): Promise<Buffer> {
  const lines = (items: readonly unknown[]) =>
    items.map((item) => `${typeof item === "string" ? item : JSON.stringify(item)}\n`).join("");
  const parts = {
    "nodes.jsonl": lines(nodes),
    "relations.jsonl": lines(relations),
    ...(vectors && { "vectors.jsonl": lines(vectors) }),
  };
  const known = nodes.filter((node) => typeof node !== "string");
  const told = {
    format: "ctxdb-pack",
    version: 1,
    scope: "resources",
    root: "evil",
    files: Object.keys(files).length,
    directories: nodes.length - Object.keys(files).length,
    bytes: known.filter(({ kind }) => kind === "file").reduce((sum, { size }) => sum + Number(size), 0),
    relations: relations.length,
    created_at: "",
    sha256: Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, sha256(text)])),
    ...(vectors && { vectors: { space: "static-128", dimensions: 128 } }),
    ...manifest,
  };
  const members = Object.entries(files).map(([path, text]) => [`files/${path}`, text] as const);
  return archiveOf([...Object.entries(parts), ...members, ["manifest.json", JSON.stringify(told)]]);
}
