import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** A document or a query. Within one namespace only documents of the same one may answer. */
export interface Text {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly ns?: string;
}

/**
 * Judged questions over documents: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (query,
 * document, relevance).
 */
export interface TestSet {
  readonly name: string;
  /** By namespace. */
  readonly documents: ReadonlyMap<string, readonly Text[]>;
  readonly queries: readonly Text[];
  /** By query, then by document: how relevant, above 0. */
  readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const rows = async (folder: string, name: string): Promise<Text[]> =>
  (await readFile(join(folder, name), "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Text);

/** `maxQueries` keeps every so manieth query. */
export async function readTestSet(folder: string, maxQueries = Number.POSITIVE_INFINITY): Promise<TestSet> {
  const relevant = new Map<string, Map<string, number>>();
  for (const line of (await readFile(join(folder, "qrels.tsv"), "utf8")).split("\n")) {
    const [query, document, relevance] = line.split("\t");
    if (query === undefined || document === undefined || !(Number(relevance) > 0)) continue;
    if (!relevant.has(query)) relevant.set(query, new Map());
    relevant.get(query)!.set(document, Number(relevance));
  }
  const documents = new Map<string, Text[]>();
  for (const document of await rows(folder, "corpus.jsonl"))
    documents.set(document.ns ?? "", [...(documents.get(document.ns ?? "") ?? []), document]);
  const judged = (await rows(folder, "queries.jsonl")).filter(({ id }) => relevant.has(id));
  const step = Math.max(1, judged.length / maxQueries);
  const queries = judged.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  return { name: basename(folder), documents, queries, relevant };
}

/** The name of a document's file, which says nothing of what is in it. */
const fileName = (i: number, extension: string): string => `doc${String(i).padStart(6, "0")}.${extension}`;

/**
 * Writes the documents of a namespace as files, Markdown unless told otherwise; by the name of its file, the
 * document's id.
 */
export async function writeFiles(
  folder: string,
  documents: readonly Text[],
  extension: string,
): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  const ids = new Map<string, string>();
  for (const [i, { id, title, text }] of documents.entries()) {
    const name = fileName(i, extension);
    const heading = extension === "md" ? `# ${title?.replace(/\s+/g, " ")}` : title;
    await writeFile(join(folder, name), `${title ? `${heading}\n\n` : ""}${text}\n`);
    ids.set(name.slice(0, name.indexOf(".")), id);
  }
  return ids;
}
