/**
 * npm run test:formats [-- FOLDER]: parses real documents from external sources and compares the text with
 * that of other tools, then imports the documents into the built server and asks 20 questions per format.
 * Documents and the Python libraries that read them are downloaded into FOLDER (default: a temporary one) and
 * never committed. Needs apt-get, dpkg-deb, python3 with venv, npm, mvn, unzip, pdftotext, pdfinfo and
 * pandoc. The last line is `N passed, N failed`.
 */

import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { workspaceId } from "../../src/domain/ids.ts";
import { Parser } from "../../src/ingest/parse/process/parser.ts";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type FoundFile, fetchCorpus } from "./corpus.ts";
import { structureOf, wordF1, wordsOf } from "./measures.ts";
import { inTurns } from "./producers.ts";
import { holds, type Question, questionsOf } from "./questions.ts";
import { type Reference, References } from "./references.ts";
import { checksOf, type Measured, rowsOf } from "./report.ts";

/** Documents per format. */
const MAX_FILES = 30;
const MAX_BYTES = 8 * 1024 * 1024;
const QUESTIONS = 20;
const MAX_RANK = 3;
/** A reference text with fewer words proves nothing; the limit is lower for slides and sheets. */
const MIN_WORDS = 50;
const MIN_WORDS_OF: Readonly<Record<string, number>> = { pptx: 20, xlsx: 20 };
/** The heading generated for a slide without a title, which is not part of the file's text. */
const UNTITLED_SLIDE = /^## Slide \d+$/gm;
const IMPORT_SECONDS = 600;
const RUN_LIMIT_MS = 40 * 60_000;

interface Chosen extends FoundFile {
  readonly producer: string;
  readonly reference: Reference;
  readonly bytes: Uint8Array;
}

/** Selects files of a format whose text a reference tool can read, without files of the same text. */
async function choose(files: readonly FoundFile[], references: References): Promise<Chosen[]> {
  const chosen: Chosen[] = [];
  const known = new Set<string>();
  for (const file of await inTurns(files)) {
    if (chosen.length === MAX_FILES) break;
    const bytes = await readFile(file.path);
    if (bytes.length > MAX_BYTES) continue;
    const reference = await references.of(file);
    const words = reference === undefined ? [] : wordsOf(reference.text);
    const hash = createHash("sha256").update(words.join(" ")).digest("hex");
    if (words.length < (MIN_WORDS_OF[file.format] ?? MIN_WORDS) || known.has(hash)) continue;
    known.add(hash);
    chosen.push({ ...file, reference: reference!, bytes });
  }
  return chosen;
}

async function measure(
  parser: Parser,
  { path, format, producer, reference, bytes }: Chosen,
): Promise<Measured> {
  const { text, error } = await parser.parse(basename(path), bytes, { workspace: workspaceId(1) });
  const structure = structureOf(text);
  const f1 = wordF1(text.replace(UNTITLED_SLIDE, ""), reference.text);
  const beside = reference.structure ?? { headings: "-", items: "-", rows: "-" };
  const said = (["headings", "items", "rows"] as const)
    .map((name) => `${structure[name]}/${beside[name]} ${name}`)
    .join(", ");
  console.log(
    `${format.padEnd(5)}${f1.toFixed(4)} ${producer.slice(0, 24).padEnd(25)}${basename(path).slice(0, 40).padEnd(41)}${error ?? said}`,
  );
  return { producer, f1, structure, reference: reference.structure };
}

/**
 * Imports all files of a format and returns how many questions find their passage among the first hits.
 * Throws if the import fails.
 */
async function ask(
  rest: Rest,
  sources: string,
  format: string,
  files: readonly Chosen[],
  questions: readonly Question[],
): Promise<number> {
  await mkdir(join(sources, format), { recursive: true });
  for (const [i, file] of files.entries()) await copyFile(file.path, join(sources, format, `${i}.${format}`));
  const root = `ctx://resources/${format}`;
  const order = { path: join(sources, format), to: root, strict: false, wait: true, timeout: IMPORT_SECONDS };
  const answer = await rest.post("/api/v1/resources", order, IMPORT_SECONDS * 1000);
  if (answer.status !== 200)
    throw new Error(`${format}: import answered ${answer.status} ${JSON.stringify(answer.error ?? {})}`);
  let found = 0;
  for (const { text, passage } of questions) {
    const { result } = await rest.post("/api/v1/search/find", {
      query: text,
      target_uri: root,
      limit: MAX_RANK,
    });
    if (await isAmong(rest, (result as { resources: { uri: string }[] }).resources, passage)) found++;
    else console.log(`  not found: ${text}\n    ${passage}`);
  }
  return found;
}

async function isAmong(
  rest: Rest,
  hits: readonly { readonly uri: string }[],
  passage: string,
): Promise<boolean> {
  for (const { uri } of hits) {
    const { result } = await rest.get("/api/v1/content/read", { uri });
    if (typeof result === "string" && holds(result, passage)) return true;
  }
  return false;
}

const limit = setTimeout(() => {
  console.log(`not done after ${RUN_LIMIT_MS / 60_000} minutes\n0 passed, 1 failed`);
  process.exit(1);
}, RUN_LIMIT_MS);
const scratch = await temporaryFolder();
const folder = process.argv[2] ?? join(scratch.path, "corpus");
const parser = new Parser({ limitSeconds: 120, memoryMb: 2048, log: silentLog });
const sources = join(scratch.path, "sources");
await mkdir(sources, { recursive: true });
const server = new Server({
  dataDir: join(scratch.path, "data"),
  sources,
  settings: { CTXDB_EMBEDDING_PROVIDER: "light" },
});
const results = new Map<
  string,
  { readonly files: readonly Measured[]; readonly asked: number; readonly found: number }
>();
try {
  const references = await References.open(folder);
  const all = await fetchCorpus(folder);
  const port = (await server.ready())!;
  const root = new Rest(port, { "x-api-key": ROOT_KEY });
  const account = await root.post("/api/v1/admin/accounts", { account_id: "work", admin_user_id: "ann" });
  root.close();
  const rest = new Rest(port, { "x-api-key": (account.result as { user_key: string }).user_key });
  for (const format of [...new Set(all.map((file) => file.format))].sort()) {
    const files = await choose(
      all.filter((file) => file.format === format),
      references,
    );
    const measured: Measured[] = [];
    for (const file of files) measured.push(await measure(parser, file));
    const texts = files.map(({ reference }) => reference.text);
    const questions = questionsOf(texts, QUESTIONS);
    results.set(format, {
      files: measured,
      asked: questions.length,
      found: await ask(rest, sources, format, files, questions),
    });
  }
  rest.close();
} finally {
  clearTimeout(limit);
  await parser.close();
  if (server.running) await server.kill();
  await scratch.remove();
}
for (const row of rowsOf(results)) console.log(row);
const checks = checksOf(results);
for (const { what, isPassed } of checks) if (!isPassed) console.log(`FAIL ${what}`);
const failed = checks.filter(({ isPassed }) => !isPassed).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
