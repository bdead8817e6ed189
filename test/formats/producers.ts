import { type FoundFile, output } from "./corpus.ts";

/** Returns the program that wrote a file, without its version, or "unknown" if the file does not say. */
export async function producerOf({ path, format }: FoundFile): Promise<string> {
  // pandoc's documents claim to be from Word
  if (path.includes("/pandoc/")) return "pandoc";
  // web pages do not name it; all pages of a package come from the same program
  if (format === "html") return /\/debian\/([^/]+)\//.exec(path)?.[1] ?? "unknown";
  const name = (format === "pdf" ? await ofPdf(path) : await ofPackage(path))
    ?.replace(/[\d.(/$].*$/, "")
    .trim();
  return name || "unknown";
}

async function ofPdf(path: string): Promise<string | undefined> {
  return /^Producer:\s*(.*)$/m.exec((await output("pdfinfo", [path])) ?? "")?.[1];
}

async function ofPackage(path: string): Promise<string | undefined> {
  const said = await output("sh", [
    "-c",
    'unzip -p "$1" docProps/app.xml meta.xml "*.opf" 2>/dev/null || true',
    "sh",
    path,
  ]);
  return /<Application>([^<]*)|<meta:generator>([^<]*)|<meta name="generator" content="([^"]*)/i
    .exec(said ?? "")
    ?.slice(1)
    .find(Boolean);
}

/** Alternates between producers, so that each occurs early. */
export async function inTurns(
  files: readonly FoundFile[],
): Promise<(FoundFile & { readonly producer: string })[]> {
  const counts = new Map<string, number>();
  const ranked: [rank: number, file: FoundFile & { readonly producer: string }][] = [];
  for (const file of files) {
    const producer = await producerOf(file);
    const rank = (counts.get(producer) ?? 0) + 1;
    counts.set(producer, rank);
    ranked.push([rank, { ...file, producer }]);
  }
  return ranked.sort((a, b) => a[0] - b[0]).map(([, file]) => file);
}
