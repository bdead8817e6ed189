import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { REPOSITORY } from "./server.ts";

/** Folders with public text on a Debian machine, and in this repository's packages. */
const FOLDERS = ["/usr/share/man", "/usr/share/doc", join(REPOSITORY, "node_modules")] as const;
/** Matches English manual pages; other languages have a folder before `man1`. */
const TEXT_FILE = /(?:share\/man\/man[1-8]\/[^/]+\.gz|\.(?:txt|md|rst)(?:\.gz)?|\/README[^/]*)$/;
const MAX_FILE_BYTES = 4_000_000;
const MAX_FILES = 60_000;
/** Maximum amount of text to read, enough for a million distinct chunks. */
const MAX_BYTES = 48_000_000;
const MIN_SENTENCES = 20_000;
const SENTENCE_WORDS = [6, 40] as const;
/** Minimum share of letters and spaces in prose; tables and code have a lower share. */
const MIN_LETTERS = 0.85;
const MIN_DOCUMENT_SENTENCES = 4;

/** Returns the sentences of a document in order. */
export type RealDocument = readonly string[];

/**
 * Returns distinct sentences of the machine's manual pages and documentation, grouped by document. Throws an
 * error that names the packages to install if there are too few.
 */
export function realSentences(): RealDocument[] {
  const seen = new Set<string>();
  const documents: RealDocument[] = [];
  let bytes = 0;
  for (const path of FOLDERS.flatMap((folder) => textFiles(folder))) {
    const sentences = sentencesOf(readText(path)).filter((sentence) => !seen.has(sentence));
    if (sentences.length < MIN_DOCUMENT_SENTENCES) continue;
    for (const sentence of sentences) {
      seen.add(sentence);
      bytes += sentence.length;
    }
    documents.push(sentences);
    if (bytes >= MAX_BYTES) break;
  }
  if (seen.size < MIN_SENTENCES)
    throw new Error(
      `${seen.size} sentences in ${FOLDERS.join(", ")}, fewer than ${MIN_SENTENCES}: ` +
        "install manual pages and documents (apt-get install manpages manpages-dev debian-reference-en); " +
        "images without documentation leave them out (see path-exclude in /etc/dpkg/dpkg.cfg.d)",
    );
  return documents;
}

/** Returns the text files below a folder in order, or none if the folder does not exist. */
function textFiles(folder: string): string[] {
  const found: string[] = [];
  const waiting = [folder];
  while (waiting.length > 0 && found.length < MAX_FILES) {
    const at = waiting.pop() ?? folder;
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && TEXT_FILE.test(path)) found.push(path);
    }
  }
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return "";
    const bytes = readFileSync(path);
    return (path.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes).toString();
  } catch {
    // unreadable or too large: other files will do
    return "";
  }
}

function sentencesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => (/^[.'](?!\w*(?:SH|SS)\b)(?:B|I|BR|IR|RB|RI) /.test(line) ? line.slice(3) : line))
    .map((line) => (/^(?:[.'#=|>*]|\s*$)/.test(line) ? "" : line))
    .join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => withoutRoff(paragraph).split(/(?<=[.!?]) (?=[A-Z])/))
    .filter(isProse);
}

const withoutRoff = (paragraph: string): string =>
  paragraph
    .replaceAll(/\\f(?:\[\w*\]|\w)|\\&|\\[,/|^]/g, "")
    .replaceAll(/\\(?:\(..|\[\w+\])/g, "'")
    .replaceAll("\\-", "-")
    .replaceAll(/\\./g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

function isProse(sentence: string): boolean {
  if (!/^[A-Z].*[.!?]$/.test(sentence)) return false;
  const words = sentence.split(" ").length;
  if (words < SENTENCE_WORDS[0] || words > SENTENCE_WORDS[1]) return false;
  return sentence.replaceAll(/[^A-Za-z ]/g, "").length >= sentence.length * MIN_LETTERS;
}
