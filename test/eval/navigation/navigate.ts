/**
 * `npm run eval:navigate -- --trees FOLDER [--light] [--tokens N] [--misses]`: measures whether an agent that
 * reads overviews (L1) from the root downwards finds the right file. Each tree is a folder with `files/` and
 * `queries.jsonl` (lines of `{"text", "path", "isByHand"}`, with the path relative to `files/`), as written
 * by `npm run eval:trees`. At each level the lines of the overview are ranked by the built-in vectors alone;
 * a question succeeds if the right child is among the first three at every level. If children are grouped,
 * first the right group and then the right child in the group's overview must be among the first three. For
 * comparison, plain find is measured too. `--tokens` sets the budget of overviews, `--light` uses the main
 * model for the questions only, and `--misses` prints where the path was lost.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { groupsIn } from "../../../src/enrich/directory/topics.ts";
import type { Embedder } from "../../../src/providers/embedding.ts";
import { Api } from "../../bench/harness/api.ts";
import { startServer } from "../../bench/harness/server.ts";
import { openModel } from "../plain-cosine.ts";

const OPENINGS = 3;
/** The right file must be among this many hits of a find. */
const HITS = 3;

interface Question {
  readonly text: string;
  readonly path: string;
  readonly isByHand?: boolean;
}

const { values } = parseArgs({
  options: {
    trees: { type: "string" },
    light: { type: "boolean" },
    misses: { type: "boolean" },
    tokens: { type: "string" },
  },
});
if (values.trees === undefined) throw new Error("--trees names the folder of the trees");
const provider = values.light ? "light" : "builtin";

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/**
 * Returns the children named in an overview, each with the words of its line and of the lines indented below
 * it.
 */
function childrenIn(overview: string): Map<string, string[]> {
  const children = new Map<string, string[]>();
  let last: string | undefined;
  for (const line of overview.split("\n")) {
    const group = /^- about (.+) \([\d,]+\):$/.exec(line)?.[1];
    if (group !== undefined) {
      children.set(group, [group]);
      last = group;
      continue;
    }
    const nested = /^ {2}- (.*)$/.exec(line)?.[1];
    if (nested !== undefined && last !== undefined) {
      children.get(last)?.push(nested);
      continue;
    }
    const rest = /^- (?:and [\d,]+ more|[^:]+ \([\d,]+\)): (.*)$/.exec(line);
    if (rest) {
      for (const name of (rest[1] ?? "").replace(/ and [\d,]+ others$/, "").split(", "))
        children.set(name.replace(/\/$/, ""), [name]);
      continue;
    }
    const [, name, said] = /^- (.+?)\/?(?:: (.*))?$/.exec(line) ?? [];
    if (name === undefined) continue;
    children.set(name, [`${words(name)}: ${said ?? ""}`]);
    last = name;
  }
  return children;
}

const words = (name: string): string => name.replace(/\.[^.]+$/, "").replaceAll(/[-_]/g, " ");

class Navigator {
  readonly #api: Api;
  readonly #embedder: Embedder;
  readonly #levels = new Map<string, Level>();

  constructor(api: Api, embedder: Embedder) {
    this.#api = api;
    this.#embedder = embedder;
  }

  /**
   * Returns the folder in which the path was lost, with the rank of the right child there, or undefined if it
   * was not lost.
   */
  async lostAt(root: string, { text, path }: Question): Promise<string | undefined> {
    const [query] = await this.#embedder.embed([text]);
    let at = root;
    for (const step of path.split("/")) {
      const level = await this.#level(at);
      const group = [...groupsIn(level.overview)].find(([, names]) => names.includes(step))?.[0];
      for (const wanted of group === undefined ? [step] : [group, step]) {
        const { names, vectors } = wanted === group ? level : await this.#level(at, group);
        const ordered = names
          .map((name, i) => [name, Math.max(...vectors[i]!.map((line) => dot(query!, line)))] as const)
          .sort(([, a], [, b]) => b - a);
        const place = ordered.findIndex(([name]) => name === wanted);
        if (place < 0 || place >= OPENINGS) return `${at}: ${wanted} is ${place + 1} of ${names.length}`;
      }
      at = `${at}/${step}`;
    }
    return undefined;
  }

  async #level(uri: string, group?: string) {
    const key = `${uri} ${group}`;
    const known = this.#levels.get(key);
    if (known) return known;
    const query = new URLSearchParams({
      uri,
      ...(group !== undefined && { group }),
      ...(values.tokens !== undefined && { token_budget: values.tokens }),
    });
    const overview = await this.#api.get<string>(`/api/v1/content/overview?${query}`);
    const children = childrenIn(overview);
    const vectors: Float32Array[][] = [];
    for (const lines of children.values()) vectors.push(await this.#embedder.embed(lines));
    const level = { overview, names: [...children.keys()], vectors };
    this.#levels.set(key, level);
    return level;
  }
}

interface Level {
  readonly overview: string;
  readonly names: string[];
  readonly vectors: Float32Array[][];
}

/** Hits name the matching section: `a/b.md` or `a/b/02-part.md`. */
const isOf = (uri: string, root: string, path: string): boolean =>
  uri.startsWith(`${root}/${path}`) || uri.startsWith(`${root}/${path.replace(/\.[^./]+$/, "")}/`);

const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: provider } });
const { embedder, close } = openModel("builtin");
// a model's processes do not keep the program running
const alive = setInterval(() => undefined, 60_000);
const api = await Api.open(server.port);
try {
  const navigator = new Navigator(api, embedder);
  process.stdout.write(
    `| tree | questions | of them by hand | reached by L1 | of them by hand | among ${HITS} hits of find |\n|---|---|---|---|---|---|\n`,
  );
  for (const { name } of (await readdir(values.trees, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )) {
    const folder = join(values.trees, name);
    const root = `ctx://resources/${name}`;
    await api.post("/api/v1/resources", { path: join(folder, "files"), to: root, wait: true });
    const lines = (await readFile(join(folder, "queries.jsonl"), "utf8")).trim().split("\n");
    const questions = lines.map((line) => JSON.parse(line) as Question);
    let [reached, byHand, found] = [0, 0, 0];
    for (const question of questions) {
      const lost = await navigator.lostAt(root, question);
      if (lost === undefined) {
        reached++;
        if (question.isByHand) byHand++;
      } else if (values.misses) process.stderr.write(`${question.path}: ${question.text}\n  ${lost}\n`);
      const { resources } = await api.post<{ resources: { uri: string }[] }>("/api/v1/search/find", {
        query: question.text,
        target_uri: root,
        limit: HITS,
      });
      if (resources.some(({ uri }) => isOf(uri, root, question.path))) found++;
    }
    const handwritten = questions.filter(({ isByHand }) => isByHand).length;
    process.stdout.write(
      `| ${name} | ${questions.length} | ${handwritten} | ${reached} | ${byHand} | ${found} |\n`,
    );
  }
} finally {
  api.close();
  await close();
  clearInterval(alive);
  await server.stop();
}
