import { decode } from "../../domain/text/decode.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";
import type { Path } from "../../domain/uri.ts";
import type { Candidate } from "../../retrieve/recall-block.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";

/**
 * Files with a repository's instructions for coding agents; they apply to their folder and everything below.
 */
const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** Maximum bytes read from a file; coding agents read far less. */
const MAX_BYTES = 256 * 1024;
/** Maximum number of folders searched, starting with the nearest. */
const MAX_FOLDERS = 8;

/**
 * Instruction files of a project folder and the folders above, outermost first, so that the nearest take
 * precedence. At most `tokens` together; a file that is cut keeps its beginning.
 */
export async function instructionsOf(
  { workspace, owner }: Tenant,
  project: string,
  tokens: number,
): Promise<Candidate[]> {
  const path = workspace.uris.parse(project);
  if (path[0] !== "resources") return [];
  const found: Candidate[] = [];
  let left = tokens;
  // nearest first, because the budget cuts the outermost files first
  for (const folder of foldersOf(path)) {
    for (const name of NAMES) {
      const file = [...folder, name];
      const entry = locate(workspace.kv, workspace.keys, owner, file)?.entry;
      // anybody who may write in the project may make a folder with that name
      if (entry?.kind !== "file" || entry.size > MAX_BYTES) continue;
      const text = beginning(decode(await workspace.contents.read(entry))?.text ?? "", left);
      if (text === "") continue;
      left -= estimateTokens(text);
      const uri = workspace.uris.format(file);
      const category = "instructions";
      found.push({ node: entry.node, kind: "resource", uri, category, score: 1, label: category, text });
    }
  }
  return found.reverse();
}

/** The folders of a path below the scope, nearest first. */
function foldersOf(path: Path): Path[] {
  const folders = path.slice(1).map((_, at) => path.slice(0, at + 2));
  return folders.reverse().slice(0, MAX_FOLDERS);
}

/** The first lines that fit. */
function beginning(text: string, tokens: number): string {
  const lines = text.trim().split("\n");
  let left = tokens;
  let count = 0;
  for (const line of lines) {
    left -= estimateTokens(`${line}\n`);
    if (left < 0) break;
    count++;
  }
  return lines.slice(0, count).join("\n").trim();
}
