/**
 * `npm run eval -- --sets FOLDER [--light] [--queries N] [names …]`: how well the built server finds, over the test sets in a folder (each a folder as `readTestSet` reads
 * it; none is shipped), through its public API, beside plain BM25 and the plain cosine of the same model over the same documents.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../../src/providers/embedding.ts";
import { Api } from "../bench/harness/api.ts";
import { startServer } from "../bench/harness/server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Measures, mean, measured, plainBm25 } from "./measures.ts";
import { openModel, plainCosine } from "./plain-cosine.ts";
import { readTestSet, type TestSet, type Text, writeFiles } from "./test-set.ts";

const LIMIT = 10;

/** The documents of a namespace as the server has them. */
interface Root {
  readonly uri: string;
  /** By the stem of a file, the id of its document. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Adds every namespace of a set as a folder of files and waits until all of it is processed. */
async function add(api: Api, set: TestSet): Promise<ReadonlyMap<string, Root>> {
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

/** The documents that the hits stand for, each at the place of its first hit. */
function ranking(hits: readonly { readonly uri: string }[], ids: Root["ids"]): (string | undefined)[] {
  const ranked: (string | undefined)[] = [];
  for (const { uri } of hits) {
    const stem = uri
      .split("/")
      .map((part) => part.split(".")[0]!)
      .findLast((part) => ids.has(part));
    const id = stem === undefined ? undefined : ids.get(stem);
    ranked.push(ranked.includes(id) ? undefined : id);
  }
  return ranked;
}

interface Evaluation {
  readonly words: Measures;
  readonly cosine: Measures;
  readonly found: Measures;
}

async function evaluate(api: Api, embedder: Embedder, set: TestSet): Promise<Evaluation> {
  const roots = await add(api, set);
  const plain = new Map<string, { words: (query: string) => string[]; cosine: (query: string) => Promise<string[]> }>();
  for (const [namespace, documents] of set.documents)
    plain.set(namespace, { words: plainBm25(documents), cosine: await plainCosine(embedder, documents) });
  const [words, cosine, found]: [Measures[], Measures[], Measures[]] = [[], [], []];
  const ask = async ({ id, text, ns = "" }: Text) => {
    const { uri, ids } = roots.get(ns)!;
    const answer = await api.post<{ resources: { uri: string }[] }>("/api/v1/search/find", { query: text, target_uri: uri, limit: LIMIT });
    const relevant = set.relevant.get(id)!;
    words.push(measured(plain.get(ns)!.words(text), relevant));
    cosine.push(measured(await plain.get(ns)!.cosine(text), relevant));
    found.push(measured(ranking(answer.resources, ids), relevant));
  };
  for (const query of set.queries) await ask(query);
  return { words: mean(words), cosine: mean(cosine), found: mean(found) };
}

const { values, positionals } = parseArgs({
  options: { sets: { type: "string" }, light: { type: "boolean" }, queries: { type: "string" } },
  allowPositionals: true,
});
if (values.sets === undefined) throw new Error("--sets names the folder of the test sets");
const say = (line: string) => process.stdout.write(`${line}\n`);
const shown = ({ recall, ndcg }: Measures) => `${recall.toFixed(3)} / ${ndcg.toFixed(3)}`;
const provider = values.light ? "light" : "builtin";
const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: provider } });
const model = openModel(provider);
const api = await Api.open(server.port);
try {
  say("| set | documents / queries | plain BM25 | plain cosine | find | seconds |\n|---|---|---|---|---|---|");
  for (const { name } of (await readdir(values.sets, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const set = await readTestSet(join(values.sets, name), values.queries === undefined ? undefined : Number(values.queries));
    const began = performance.now();
    const { words, cosine, found } = await evaluate(api, model.embedder, set);
    const documents = [...set.documents.values()].flat().length;
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    say(`| ${name} | ${documents} / ${set.queries.length} | ${shown(words)} | ${shown(cosine)} | ${shown(found)} | ${seconds} |`);
  }
} finally {
  api.close();
  await model.close();
  await server.stop();
}
