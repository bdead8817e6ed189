/**
 * `npm run eval:languages -- --out FOLDER [--debian FOLDER]`: builds a test set from Debian's translated
 * manual pages for each language (German, French, Spanish, Japanese, Chinese), for `npm run eval -- --sets
 * FOLDER` and, with an analyser of the language, `python3 test/eval/bm25.py FOLDER`. A question is a page's
 * NAME line in one of two phrasings; the documents omit that section.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseManualPage } from "../../src/ingest/parse/manual-page/manual-page.ts";
import { type ManualPage, manualPages } from "./debian-manual.ts";

const MAX_PAGES = 350;
const MAX_LENGTH = 30_000;
const MIN_WORDS_LENGTH = 6;

interface Language {
  readonly package: string;
  /** Language code of the folder with its pages. */
  readonly code: string;
  readonly phrasings: readonly [string, string];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  de: {
    package: "manpages-de",
    code: "de",
    phrasings: ["Wie kann ich Folgendes tun: *?", "Welcher Befehl ist dafür: *"],
  },
  fr: {
    package: "manpages-fr",
    code: "fr",
    phrasings: ["Comment faire ceci : * ?", "Quelle commande sert à cela : *"],
  },
  es: {
    package: "manpages-es",
    code: "es",
    phrasings: ["¿Cómo puedo hacer esto: *?", "¿Qué orden sirve para esto: *"],
  },
  ja: {
    package: "manpages-ja",
    code: "ja",
    phrasings: ["*にはどうすればよいですか", "*方法を教えてください"],
  },
  zh: { package: "manpages-zh", code: "zh_CN", phrasings: ["如何*？", "哪个命令可以*"] },
};

const NAME_SECTION = /^##[ \t]+[^\n]{1,40}\n([\s\S]*?)(?=^#|$(?![\s\S]))/m;
const NAME_LINE = /^[\s\S]{1,300}?\s[-–—]{1,2}\s+([\s\S]{3,400})$/;

const { values } = parseArgs({ options: { out: { type: "string" }, debian: { type: "string" } } });
const { out } = values;
if (out === undefined) throw new Error("--out names the folder of the sets");

interface Page {
  readonly id: string;
  readonly asked: string;
  readonly text: string;
}

function pageOf({ name, text }: ManualPage): Page[] {
  const { text: markdown } = parseManualPage(name, { text, encoding: "utf-8", damaged: false });
  const [section = "", named = ""] = NAME_SECTION.exec(markdown) ?? [];
  const asked = NAME_LINE.exec(named.replace(/\s+/g, " ").trim())?.[1]?.replace(/[.。]$/, "") ?? "";
  const rest = markdown
    .replace(/^# .*\n/, "")
    .replace(section, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return asked.length < MIN_WORDS_LENGTH || rest === ""
    ? []
    : [{ id: name, asked, text: rest.slice(0, MAX_LENGTH) }];
}

for (const [language, { package: name, code, phrasings }] of Object.entries(LANGUAGES)) {
  const found = await manualPages([name], values.debian ?? join(out, "..", "debian"));
  const pages = found.filter((page) => page.language === code).flatMap(pageOf);
  // pages about several functions share the same line
  const lines = new Map<string, number>();
  for (const { asked } of pages) lines.set(asked, (lines.get(asked) ?? 0) + 1);
  const own = pages.filter(({ asked }) => lines.get(asked) === 1);
  const step = Math.max(1, own.length / MAX_PAGES);
  const kept = own.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  const folder = join(out, `manual-${language}`);
  await mkdir(folder, { recursive: true });
  const rows = (list: readonly object[]) => `${list.map((row) => JSON.stringify(row)).join("\n")}\n`;
  await writeFile(join(folder, "corpus.jsonl"), rows(kept.map(({ id, text }) => ({ id, text }))));
  const queries = kept.map(({ id, asked }, i) => ({
    id: `q-${id}`,
    text: (phrasings[i % 2] ?? "*").replace("*", asked),
  }));
  await writeFile(join(folder, "queries.jsonl"), rows(queries));
  await writeFile(join(folder, "qrels.tsv"), `${kept.map(({ id }) => `q-${id}\t${id}\t1`).join("\n")}\n`);
  process.stdout.write(`${language}: ${kept.length} pages\n`);
}
