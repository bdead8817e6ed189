import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** A document or a query. A query is answered only by documents of its own namespace. */
export interface Text {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly ns?: string;
}

/**
 * Questions with relevance judgements: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (query,
 * document, relevance).
 */
export interface TestSet {
  readonly name: string;
  /** By namespace. */
  readonly documents: ReadonlyMap<string, readonly Text[]>;
  readonly queries: readonly Text[];
  /** Relevance above 0, by query, then by document. */
  readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const rows = async (folder: string, name: string): Promise<Text[]> =>
  (await readFile(join(folder, name), "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Text);

/** With `maxQueries` only every n-th query is kept. */
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

/** Returns the file name for a document, which does not reveal its content. */
const fileName = (i: number, extension: string): string => `doc${String(i).padStart(6, "0")}.${extension}`;

/**
 * Writes the documents of a namespace as files, Markdown by default. Returns the document ids by file name.
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
