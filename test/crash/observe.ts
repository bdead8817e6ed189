import { type Found, isBelow, sectionsOf } from "./model.ts";
import { isOk, type Rest, say } from "./rest.ts";
import type { Text } from "./texts.ts";

const NODE_LIMIT = 100_000;
const READERS = 8;
const HIT_LIMIT = 1000;
/**
 * A file up to this length is one passage. For a longer one any passage may be returned, since its title
 * counts for all of them.
 */
const SHORT = 600;

interface Row {
  readonly uri: string;
  readonly isDir: boolean;
  readonly size: number;
}

/**
 * Returns everything below the given directories, with content for the files selected by `reads`. Reports
 * what cannot be listed or read.
 */
export async function observe(
  rest: Rest,
  tops: readonly string[],
  reads: (uri: string) => boolean,
  complain: (what: string) => void,
): Promise<Found> {
  const found = new Map<string, { isDirectory: boolean; size: number; content?: string }>();
  for (const top of tops) {
    const answer = await rest.get("/api/v1/fs/tree", { uri: top, level_limit: 0, node_limit: NODE_LIMIT });
    if (answer.error?.code === "NOT_FOUND") continue;
    if (!isOk(answer)) {
      complain(`fs/tree ${top}: ${say(answer)}`);
      continue;
    }
    found.set(top, { isDirectory: true, size: 0 });
    for (const { uri, isDir, size } of answer.result as Row[]) {
      if (found.has(uri)) complain(`fs/tree lists ${uri} twice`);
      found.set(uri, { isDirectory: isDir, size });
    }
  }
  const wanted = [...found].filter(([uri, { isDirectory }]) => !isDirectory && reads(uri));
  const read = async () => {
    for (let next = wanted.pop(); next; next = wanted.pop()) {
      const [uri, node] = next;
      const answer = await rest.get("/api/v1/content/read", { uri });
      if (isOk(answer) && typeof answer.result === "string") node.content = answer.result;
      else complain(`${uri} is listed, content/read: ${say(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return found;
}

/** A hit: its URI (for the layers of a directory, the directory) and its passage. */
export interface Hit {
  readonly uri: string;
  readonly match: string;
}

/**
 * Returns all hits for a word, up to the maximum of one answer. This checks the content of the index, not the
 * ranking.
 */
export async function find(rest: Rest, query: string, complain: (what: string) => void): Promise<Hit[]> {
  const answer = await rest.post("/api/v1/search/find", { query, limit: HIT_LIMIT });
  if (!isOk(answer)) {
    complain(`find ${query}: ${say(answer)}`);
    return [];
  }
  const lists = answer.result as Readonly<Record<string, { uri: string; match: string }[]>>;
  return ["resources", "memories", "skills"]
    .flatMap((kind) => lists[kind] ?? [])
    .map(({ uri, match }) => ({ uri: uri.replace(/\/\.(abstract|overview)\.md$/, ""), match }));
}

/** Whether a file, or one of its sections, is among the hits for its unique word. */
export function isAmong(hits: readonly Hit[], uri: string, { content, word }: Text): boolean {
  const sections = sectionsOf(uri);
  const isIt = (hit: string) => hit === uri || hit === sections || isBelow(hit, sections);
  return hits.some((hit) => isIt(hit.uri) && (content.length > SHORT || hit.match.includes(word)));
}
