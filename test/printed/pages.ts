import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of commands, to be run as a reader would paste it. */
export interface PrintedBlock {
  /** Path of the page relative to the repository root. */
  readonly page: string;
  readonly line: number;
  readonly script: string;
  /** Output lines shown on the page. */
  readonly output: readonly string[];
}

interface Fence {
  readonly language: string;
  readonly line: number;
  readonly lines: string[];
}

const FENCE = /^```(\w*)$/;

function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: Fence | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    const fence = FENCE.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { language: fence[1] ?? "", line: at + 2, lines: [] };
    else {
      fences.push(open);
      open = undefined;
    }
  }
  return fences;
}

const isTyped = (line: string): boolean => line.startsWith("$ ");
const isOutput = ({ language, lines }: Fence): boolean =>
  ["", "text"].includes(language) && !lines.some(isTyped);

/**
 * Returns the `sh` blocks of a page, each with the output block that follows, and its transcripts, whose
 * commands start with `$ `.
 */
function blocksOf(page: string, text: string): PrintedBlock[] {
  const fences = fencesOf(text);
  return fences.flatMap(({ language, line, lines }, index) => {
    if (language === "sh") {
      const next = fences[index + 1];
      return [
        {
          page,
          line,
          script: lines.join("\n"),
          output: next !== undefined && isOutput(next) ? next.lines : [],
        },
      ];
    }
    const typed = lines.filter(isTyped).map((command) => command.slice(2));
    return typed.length === 0
      ? []
      : [{ page, line, script: typed.join("\n"), output: lines.filter((one) => !isTyped(one)) }];
  });
}

/** Pages that print commands. */
export function printedBlocks(root: string): PrintedBlock[] {
  const pagesOf = (folder: string) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  const clients = ["typescript", "python", "go", "java", "rust"];
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    // recipes build on what the tutorial has stored
    ...pagesOf("docs"),
    ...pagesOf("docs/recipes"),
    ...clients.map((name) => `clients/${name}/README.md`),
  ];
  return pages.flatMap((page) => blocksOf(page, readFileSync(join(root, page), "utf8")));
}
