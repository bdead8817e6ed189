/**
 * `npm run eval:navigate -- --trees FOLDER [--light]`: whether an agent that reads overviews (L1) from the root
 * on finds the right file. Each tree is a folder with `files/` and `queries.jsonl` (`{"text", "path"}` a line,
 * the path below `files/`). At each level the lines of the overview are ordered by the built-in vectors alone;
 * a question counts where the right child is among the first three at every level. Beside it, plain find.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "../../src/providers/embedding.ts";
import { Api } from "../bench/harness/api.ts";
import { startServer } from "../bench/harness/server.ts";
import { openModel } from "./plain-cosine.ts";

const OPENINGS = 3;
/** Hits of a find among which the right file counts. */
const HITS = 3;

interface Question {
  readonly text: string;
  readonly path: string;
}

const { values } = parseArgs({ options: { trees: { type: "string" }, light: { type: "boolean" } } });
if (values.trees === undefined) throw new Error("--trees names the folder of the trees");
const provider = values.light ? "light" : "builtin";

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Children that an overview names, with the words of their line. */
function childrenIn(overview: string): Map<string, string> {
  const children = new Map<string, string>();
  for (const line of overview.split("\n")) {
    const rest = /^- (?:and [\d,]+ more|[^:]+ \([\d,]+\)): (.*)$/.exec(line);
    if (rest) {
      for (const name of (rest[1] ?? "").replace(/ and [\d,]+ others$/, "").split(", "))
        children.set(name.replace(/\/$/, ""), name);
      continue;
    }
    const [, name, said] = /^- (.+?)\/?(?:: (.*))?$/.exec(line) ?? [];
    if (name !== undefined)
      children.set(name, `${name.replace(/\.[^.]+$/, "").replaceAll(/[-_]/g, " ")}: ${said ?? ""}`);
  }
  return children;
}

class Navigator {
  readonly #api: Api;
  readonly #embedder: Embedder;
  readonly #levels = new Map<string, { readonly names: string[]; readonly vectors: Float32Array[] }>();

  constructor(api: Api, embedder: Embedder) {
    this.#api = api;
    this.#embedder = embedder;
  }

  async reaches(root: string, { text, path }: Question): Promise<boolean> {
    const [query] = await this.#embedder.embed([text]);
    let at = root;
    for (const step of path.split("/")) {
      const { names, vectors } = await this.#level(at);
      const opened = names
        .map((name, i) => [name, dot(query!, vectors[i]!)] as const)
        .sort(([, a], [, b]) => b - a)
        .slice(0, OPENINGS);
      if (!opened.some(([name]) => name === step)) return false;
      at = `${at}/${step}`;
    }
    return true;
  }

  async #level(uri: string) {
    const known = this.#levels.get(uri);
    if (known) return known;
    const overview = await this.#api.get<string>(`/api/v1/content/overview?uri=${encodeURIComponent(uri)}`);
    const children = childrenIn(overview);
    const vectors: Float32Array[] = [];
    for (const line of children.values()) vectors.push(...(await this.#embedder.embed([line])));
    const level = { names: [...children.keys()], vectors };
    this.#levels.set(uri, level);
    return level;
  }
}

const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: provider } });
const { embedder, close } = openModel(provider);
// the processes of a model keep no program alive
const alive = setInterval(() => undefined, 60_000);
const api = await Api.open(server.port);
try {
  const navigator = new Navigator(api, embedder);
  process.stdout.write(
    `| tree | questions | reached by L1 | among ${HITS} hits of find |\n|---|---|---|---|\n`,
  );
  for (const { name } of (await readdir(values.trees, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )) {
    const folder = join(values.trees, name);
    const root = `ctx://resources/${name}`;
    await api.post("/api/v1/resources", { path: join(folder, "files"), to: root, wait: true });
    const lines = (await readFile(join(folder, "queries.jsonl"), "utf8")).trim().split("\n");
    const questions = lines.map((line) => JSON.parse(line) as Question);
    let [reached, found] = [0, 0];
    for (const question of questions) {
      if (await navigator.reaches(root, question)) reached++;
      const { resources } = await api.post<{ resources: { uri: string }[] }>("/api/v1/search/find", {
        query: question.text,
        target_uri: root,
        limit: HITS,
      });
      if (resources.some(({ uri }) => uri.startsWith(`${root}/${question.path}`))) found++;
    }
    process.stdout.write(`| ${name} | ${questions.length} | ${reached} | ${found} |\n`);
  }
} finally {
  api.close();
  await close();
  clearInterval(alive);
  await server.stop();
}
