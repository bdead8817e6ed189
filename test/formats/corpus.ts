import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const run = promisify(execFile);
const MAX_OUTPUT = 256 * 1024 * 1024;
const FETCH_LIMIT_MS = 300_000;

/** Debian packages with documents that nobody here wrote. */
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
];
/** Source archives of PyPI and packages of npm that carry documents as test data. */
const PYPI = ["python-docx", "docx2python", "docxtpl", "docxcompose", "python-pptx", "odfpy"];
const NPM = ["docx4js@3.3.0", "word-extractor@1.0.4"];
/** From these Debian pages pandoc makes one document each of the formats that Debian packages do not hold. */
const MADE_BY_PANDOC = ["docx", "odt", "epub"];
const MAX_PAGES = 400;
/** Of one format. */
const MAX_FILES = 30;
const MIN_BYTES = 8 * 1024;

export interface RealFile {
  readonly path: string;
  readonly format: string;
  readonly producer: string;
}

/** What a command writes; undefined where it fails or is not installed. */
export async function output(command: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(command, args, { maxBuffer: MAX_OUTPUT, timeout: FETCH_LIMIT_MS })).stdout;
  } catch {
    return undefined;
  }
}

/** Fetches what is not in `folder` yet, and answers the files by format, of every producer some. What cannot be fetched is told and left out. */
export async function fetchCorpus(folder: string): Promise<RealFile[]> {
  for (const name of DEBIAN) await fetchOnce(folder, "debian", name, fetchDebian);
  for (const name of PYPI) await fetchOnce(folder, "pypi", name, fetchPypi);
  for (const name of NPM) await fetchOnce(folder, "npm", name, fetchNpm);
  await makeByPandoc(folder);
  const found: RealFile[] = [];
  for (const path of await filesBelow(folder)) {
    const format = extname(path).slice(1).toLowerCase();
    if (/^(?:pdf|docx|pptx|xlsx|odt|epub|html)$/.test(format)) found.push({ path, format, producer: await producerOf(path, format) });
  }
  return chosen(found.filter(({ producer }) => producer !== ""));
}

async function fetchOnce(
  folder: string,
  kind: string,
  name: string,
  fetch: (into: string, name: string) => Promise<boolean>,
): Promise<void> {
  const into = join(folder, kind, name.replace(/\W+/g, "-"));
  if (existsSync(join(into, ".done"))) return;
  await mkdir(into, { recursive: true });
  if (!(await fetch(into, name))) return console.log(`not fetched: ${kind} ${name}`);
  for (const path of await filesBelow(into))
    if (path.endsWith(".pdf.gz")) await writeFile(path.slice(0, -3), gunzipSync(await readFile(path)));
  await writeFile(join(into, ".done"), "");
}

async function fetchDebian(into: string, name: string): Promise<boolean> {
  const got = await output("sh", "-c", 'cd "$1" && apt-get download -qq "$2" && dpkg-deb -x *.deb . && rm *.deb', "sh", into, name);
  return got !== undefined;
}

async function fetchPypi(into: string, name: string): Promise<boolean> {
  const script =
    'cd "$1" && python3 -m pip download -q --no-binary :all: --no-deps "$2" && for i in *.tar.gz; do tar xzf "$i" && rm "$i"; done';
  return (await output("sh", "-c", script, "sh", into, name)) !== undefined;
}

async function fetchNpm(into: string, name: string): Promise<boolean> {
  return (await output("sh", "-c", 'cd "$1" && npm pack -s "$2" && tar xzf *.tgz && rm *.tgz', "sh", into, name)) !== undefined;
}

async function makeByPandoc(folder: string): Promise<void> {
  const pages = (await filesBelow(join(folder, "debian"))).filter((path) => path.endsWith(".html")).slice(0, MAX_PAGES);
  await mkdir(join(folder, "pandoc"), { recursive: true });
  for (const [i, page] of pages.filter((_, at) => at % 20 === 0).entries()) {
    for (const format of MADE_BY_PANDOC) {
      const target = join(folder, "pandoc", `${i}-${basename(page, ".html")}.${format}`);
      if (!existsSync(target)) await output("pandoc", "-f", "html", "-t", format, "-o", target, page);
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

/** The program that wrote a file, without its version; "" for a file too small to hold text. */
async function producerOf(path: string, format: string): Promise<string> {
  if ((await readFile(path)).length < MIN_BYTES) return "";
  if (format === "html") return "html";
  const said =
    format === "pdf"
      ? /^Producer:\s*(.*)$/m.exec((await output("pdfinfo", path)) ?? "")?.[1]
      : /<Application>([^<]*)|<meta:generator>([^<]*)|<meta name="generator" content="([^"]*)/i
          .exec((await output("sh", "-c", 'unzip -p "$1" docProps/app.xml meta.xml "*.opf" 2>/dev/null || true', "sh", path)) ?? "")
          ?.slice(1)
          .find(Boolean);
  const name = said?.replace(/[\d.(].*$/, "").trim();
  return name || (path.includes("/pandoc/") ? "pandoc" : "unknown");
}

/** Producers in turn, so that each is there. */
function chosen(files: readonly RealFile[]): RealFile[] {
  const taken: RealFile[] = [];
  const counts = new Map<string, number>();
  const rank = (file: RealFile) => {
    const key = `${file.format} ${file.producer}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)!;
  };
  const ranked = files.map((file) => [rank(file), file] as const).sort((a, b) => a[0] - b[0]);
  for (const [, file] of ranked) if (taken.filter(({ format }) => format === file.format).length < MAX_FILES) taken.push(file);
  return taken;
}
