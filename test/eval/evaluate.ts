import { join } from "node:path";
import type { Embedder } from "../../src/providers/embedding.ts";
import type { Api } from "../bench/harness/api.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ask, faultsOf, ownSentences, type Root, ranking } from "./answers.ts";
import { type Measures, mean, measured, plainBm25 } from "./measures.ts";
import { plainCosine } from "./plain-cosine.ts";
import { type TestSet, type Text, writeFiles } from "./test-set.ts";

export interface Evaluation {
  readonly words: Measures;
  readonly cosine: Measures;
  readonly found: Measures;
  /** Number of answers that are wrong for any question, by fault. */
  readonly faults: ReadonlyMap<string, number>;
  /** Documents searched for by one of their own sentences: how many were found. */
  readonly own: { readonly asked: number; readonly found: number };
}

/**
 * Adds every namespace of a set as a folder of files and waits until all processing is done. Returns the
 * roots by namespace.
 */
export async function add(api: Api, set: TestSet): Promise<ReadonlyMap<string, Root>> {
  const folder = await temporaryFolder();
  const roots = new Map<string, Root>();
  try {
    for (const [namespace, documents] of set.documents) {
      const path = join(folder.path, `ns-${roots.size}`);
      const ids = await writeFiles(path, documents, /code/.test(set.name) ? "py" : "md");
      const uri = `ctx://resources/${set.name}/ns-${roots.size}`;
      await api.post("/api/v1/resources", { path, to: uri, wait: true });
      roots.set(namespace, { uri, ids });
    }
    return roots;
  } finally {
    await folder.remove();
  }
}

export async function evaluate(
  api: Api,
  embedder: Embedder,
  set: TestSet,
  roots: ReadonlyMap<string, Root>,
): Promise<Evaluation> {
  const plain = new Map<
    string,
    { words: (query: string) => string[]; cosine: (query: string) => Promise<string[]> }
  >();
  for (const [namespace, documents] of set.documents)
    plain.set(namespace, { words: plainBm25(documents), cosine: await plainCosine(embedder, documents) });
  const [words, cosine, found]: [Measures[], Measures[], Measures[]] = [[], [], []];
  const faults = new Map<string, number>();
  for (const { id, text, ns = "" } of set.queries) {
    const root = roots.get(ns)!;
    const hits = await ask(api, text, root);
    const relevant = set.relevant.get(id)!;
    words.push(measured(plain.get(ns)!.words(text), relevant));
    cosine.push(measured(await plain.get(ns)!.cosine(text), relevant));
    found.push(measured(ranking(hits, root), relevant));
    for (const fault of faultsOf(hits, root)) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }
  return {
    words: mean(words),
    cosine: mean(cosine),
    found: mean(found),
    faults,
    own: await findOwn(api, set, roots),
  };
}

async function findOwn(api: Api, set: TestSet, roots: ReadonlyMap<string, Root>): Promise<Evaluation["own"]> {
  const samples = ownSentences([...set.documents.values()].flat());
  const isFound = async ({ document, sentence }: { document: Text; sentence: string }) => {
    const root = roots.get(document.ns ?? "")!;
    return ranking(await ask(api, sentence, root), root).includes(document.id);
  };
  let found = 0;
  for (const sample of samples) if (await isFound(sample)) found++;
  return { asked: samples.length, found };
}
