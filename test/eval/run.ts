/**
 * `npm run eval -- --sets FOLDER [--light] [--queries N] [--thresholds] [names …]`: measures the search
 * quality of the built server over the test sets in a folder (each a folder as `readTestSet` reads it; none
 * is shipped), through the public API. For comparison: plain BM25 and plain cosine with the same model over
 * the same documents. Also reports answers that are wrong for any question, and how many documents are found
 * by one of their own sentences. `--thresholds` also reports what a `score_threshold` leaves.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Api } from "../bench/harness/api.ts";
import { startServer } from "../bench/harness/server.ts";
import type { Root } from "./answers.ts";
import { add, type Evaluation, evaluate } from "./evaluate.ts";
import type { Measures } from "./measures.ts";
import { openModel } from "./plain-cosine.ts";
import { readTestSet, type TestSet } from "./test-set.ts";
import { type Left, THRESHOLDS, thresholds } from "./thresholds.ts";

const { values, positionals } = parseArgs({
  options: {
    sets: { type: "string" },
    light: { type: "boolean" },
    queries: { type: "string" },
    thresholds: { type: "boolean" },
  },
  allowPositionals: true,
});
if (values.sets === undefined) throw new Error("--sets names the folder of the test sets");
const say = (line: string) => process.stdout.write(`${line}\n`);
const cell = ({ recall, ndcg }: Measures) => `${recall.toFixed(3)} / ${ndcg.toFixed(3)}`;
const share = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(2).replace(/^0/, ""));
const shares = ({ kept, precise, misled }: Left) => `${share(kept)} / ${share(precise)} / ${share(misled)}`;
const provider = values.light ? "light" : "builtin";

function row(
  { name, documents, queries }: TestSet,
  { words, cosine, found, faults, own }: Evaluation,
  seconds: number,
): string {
  const wrong = [...faults].map(([fault, answers]) => `${answers} ${fault}`).join(", ") || "none";
  const size = `${[...documents.values()].flat().length} / ${queries.length}`;
  const cells = [
    name,
    size,
    cell(words),
    cell(cosine),
    cell(found),
    wrong,
    `${own.found} of ${own.asked}`,
    seconds.toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

async function sayThresholds(
  api: Api,
  sets: readonly (readonly [TestSet, ReadonlyMap<string, Root>])[],
): Promise<void> {
  say(
    "\nOf ten hits above a score: answering hits that are left / of what is left, what answers / questions of the next set that are answered\n",
  );
  say(`| set | days | ${THRESHOLDS.join(" | ")} |\n|---|---|${"---|".repeat(THRESHOLDS.length)}`);
  for (const [i, [set, roots]] of sets.entries()) {
    const [next] = sets[(i + 1) % sets.length]!;
    const foreign = next === set ? [] : next.queries;
    for (const [age, left] of await thresholds(api, set, roots, foreign))
      say(`| ${set.name} | ${age} | ${left.map(shares).join(" | ")} |`);
  }
}

const server = await startServer({ env: { CTXDB_EMBEDDING_PROVIDER: provider } });
const model = openModel(provider);
const api = await Api.open(server.port);
try {
  say(
    "| set | documents / queries | plain BM25 | plain cosine | find | faulty answers | own sentence | seconds |\n|---|---|---|---|---|---|---|---|",
  );
  const added: (readonly [TestSet, ReadonlyMap<string, Root>])[] = [];
  for (const { name } of (await readdir(values.sets, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const set = await readTestSet(
      join(values.sets, name),
      values.queries === undefined ? undefined : Number(values.queries),
    );
    const began = performance.now();
    const roots = await add(api, set);
    say(row(set, await evaluate(api, model.embedder, set, roots), (performance.now() - began) / 1000));
    added.push([set, roots]);
  }
  if (values.thresholds) await sayThresholds(api, added);
} finally {
  api.close();
  await model.close();
  await server.stop();
}
