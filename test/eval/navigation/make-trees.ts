/**
 * `npm run eval:trees -- --out FOLDER [--debian FOLDER]`: builds four trees from material on any Debian
 * machine: the manual by section, the Markdown documents of packages in `node_modules`, the documents and
 * sources of this repository, and Python's standard library. About 200 questions on the first three (one per
 * file of a random sample and some more) and forty on the library were written by hand (`asked.json`). The
 * others are first sentences of paragraphs and comments that the abstract of their file does not contain.
 * `--debian` keeps the downloaded packages.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { REPOSITORY } from "../../bench/harness/server.ts";
import { manualPages } from "../debian-manual.ts";
import { type Asked, ruleQuestions } from "./rule-questions.ts";

/** Pages per section of the manual, spread over the alphabet. */
const PAGES_PER_SECTION = 80;
const MANUALS = ["coreutils", "git-man", "manpages", "manpages-dev"];
const MIN_DOCUMENT_LENGTH = 500;
/** Minimum number of documents of a package that is not a dependency of another. */
const MIN_DOCUMENTS = 2;
/** Generated questions per tree, in addition to those written by hand. */
const RULE_QUESTIONS = { manual: 45, packages: 45, repository: 44, python: 0 } as const;
/** Parts of the standard library that are not modules for users. */
const IS_NO_MODULE = /(?:^|\/)(?:tests?|site-packages|dist-packages|idlelib|lib2to3|turtledemo|encodings)\//;

type Documents = Map<string, Buffer>;
type TreeName = keyof typeof RULE_QUESTIONS;

const { values } = parseArgs({ options: { out: { type: "string" }, debian: { type: "string" } } });
const { out } = values;
if (out === undefined) throw new Error("--out names the folder of the trees");
const debian = values.debian ?? join(out, "..", "debian");

const asked: Readonly<Record<TreeName, Readonly<Record<string, string>>>> = JSON.parse(
  await readFile(new URL("asked.json", import.meta.url), "utf8"),
);

/** Returns every n-th item of a list, at most `most` of them. */
const spread = <T>(list: readonly T[], most: number): T[] =>
  list.filter(
    (_, i) =>
      list.length <= most ||
      Math.floor((i * most) / list.length) > Math.floor(((i - 1) * most) / list.length),
  );

async function manual(): Promise<Documents> {
  const wanted = new Set(Object.values(asked.manual));
  const pages = (await manualPages(MANUALS, debian)).map(({ section, name, text }) => ({
    section,
    path: `man${section}/${name}`,
    text,
  }));
  const documents: Documents = new Map();
  for (const section of new Set(pages.map((page) => page.section)))
    for (const { path, text } of [
      ...spread(
        pages.filter((page) => page.section === section),
        PAGES_PER_SECTION,
      ),
      ...pages.filter((page) => page.section === section && wanted.has(page.path)),
    ])
      documents.set(path, Buffer.from(text));
  return documents;
}

async function packages(): Promise<Documents> {
  const modules = join(REPOSITORY, "node_modules");
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(REPOSITORY, "package.json"), "utf8"),
  );
  const direct = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  const names: string[] = [];
  for (const name of (await readdir(modules)).filter((entry) => !entry.startsWith(".")).sort())
    if (name.startsWith("@"))
      names.push(...(await readdir(join(modules, name))).sort().map((inner) => `${name}/${inner}`));
    else names.push(name);
  const documents: Documents = new Map();
  for (const name of names) {
    const files = (await readdir(join(modules, name), { recursive: true }))
      .filter((file) => /\.mdx?$/i.test(file) && !/licen[cs]e|(?:^|\/)node_modules\//i.test(file))
      .sort();
    if (!direct.has(name) && files.length < MIN_DOCUMENTS) continue;
    for (const file of files)
      if ((await stat(join(modules, name, file))).size >= MIN_DOCUMENT_LENGTH)
        documents.set(`${name}/${file}`, await readFile(join(modules, name, file)));
  }
  return documents;
}

async function repository(): Promise<Documents> {
  const documents: Documents = new Map();
  for (const folder of ["docs", "src"])
    for (const file of (await readdir(join(REPOSITORY, folder), { recursive: true })).sort())
      if (/\.(?:md|ts|wat|sql|proto)$/.test(file) && !file.startsWith("reference/"))
        documents.set(`${folder}/${file}`, await readFile(join(REPOSITORY, folder, file)));
  return documents;
}

async function python(): Promise<Documents> {
  const { stdout } = await promisify(execFile)("python3", [
    "-c",
    "import sysconfig; print(sysconfig.get_path('stdlib'))",
  ]);
  const library = stdout.trim();
  const documents: Documents = new Map();
  for (const file of (await readdir(library, { recursive: true })).sort())
    if (file.endsWith(".py") && !IS_NO_MODULE.test(file)) {
      const bytes = await readFile(join(library, file));
      if (bytes.length >= MIN_DOCUMENT_LENGTH) documents.set(file, bytes);
    }
  return documents;
}

async function writeTree(name: TreeName, documents: Documents): Promise<void> {
  const byHand = Object.entries(asked[name]).map(([text, path]): Asked => ({ text, path, isByHand: true }));
  const lost = byHand.filter(({ path }) => !documents.has(path));
  if (lost.length > 0) throw new Error(`${name} has no ${lost.map(({ path }) => path).join(", ")}`);
  for (const [path, bytes] of documents) {
    await mkdir(dirname(join(out!, name, "files", path)), { recursive: true });
    await writeFile(join(out!, name, "files", path), bytes);
  }
  const questions = [...byHand, ...spread(await ruleQuestions(documents), RULE_QUESTIONS[name])];
  await writeFile(
    join(out!, name, "queries.jsonl"),
    `${questions.map((question) => JSON.stringify(question)).join("\n")}\n`,
  );
  process.stdout.write(`${name}: ${documents.size} documents, ${questions.length} questions\n`);
}

await writeTree("manual", await manual());
await writeTree("packages", await packages());
await writeTree("repository", await repository());
await writeTree("python", await python());
