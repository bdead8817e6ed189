import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One fenced block of commands as a reader would paste it. */
export interface PrintedBlock {
  /** Path of the page, from the root of the repository. */
  readonly page: string;
  readonly line: number;
  readonly script: string;
}

const FENCE = /^```(\w*)$/;

/** The `sh` blocks of a page, and the lines behind `$ ` of its transcripts. */
function blocksOf(page: string, text: string): PrintedBlock[] {
  const blocks: PrintedBlock[] = [];
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const fence = FENCE.exec(line);
    if (fence === null) {
      open?.lines.push(line);
    } else if (open === undefined) {
      open = { language: fence[1] ?? "", line: at + 2, lines: [] };
    } else {
      const script = commandsOf(open.language, open.lines);
      if (script !== "") blocks.push({ page, line: open.line, script });
      open = undefined;
    }
  }
  return blocks;
}

function commandsOf(language: string, lines: readonly string[]): string {
  if (language === "sh") return lines.join("\n");
  const typed = lines.filter((line) => line.startsWith("$ "));
  return typed.map((line) => line.slice(2)).join("\n");
}

/** The pages that print commands. */
export function printedBlocks(root: string): PrintedBlock[] {
  const pagesOf = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  const clients = ["typescript", "python", "go", "java", "rust"];
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    // recipes go on with what the tutorial has stored
    ...pagesOf("docs"),
    ...pagesOf("docs/recipes"),
    ...clients.map((name) => `clients/${name}/README.md`),
  ];
  return pages.flatMap((page) => blocksOf(page, readFileSync(join(root, page), "utf8")));
}
