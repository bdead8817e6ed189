import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf, present } from "../../base/expect.ts";
import type { Entry } from "../../domain/node.ts";
import { LinePattern, lineBehind, lineMatch } from "../../domain/patterns/regular-expression.ts";
import { checkVisible } from "../../domain/scope.ts";
import { textOf } from "../../domain/text/decode.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvSnapshot } from "../../storage/kv.ts";
import { type Listed, listedOf } from "../../workspace/tree/listed.ts";
import { walkRuns } from "../../workspace/tree/listing.ts";
import { type Located, locate, mustLocate, type Owner } from "../../workspace/tree/locate.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { encodingOf, SAMPLE_BYTES, textPieces } from "../text-parts.ts";
import { AnswerSize, checkSearchLimit } from "./grep-answer-length.ts";
import { LineSearch } from "./line-search.ts";
import { type OpenFile, openFiles, openRendered } from "./open-files.ts";
import type { PatternWorkers } from "./pattern-workers.ts";

export interface GrepInput {
  readonly uri: string;
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** Maximum number of files to search. */
  readonly nodeLimit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GrepResult {
  matches: { uri: string; line: number; content: string }[];
  count: number;
  /** Cursor to resume a search that `node_limit` or the response size has cut. */
  nextCursor?: string;
}

/**
 * Position after the last searched line; after a whole file if `line` is 0. `path` is relative to the scope;
 * empty if the scope is a file.
 */
interface Place {
  readonly path: Path;
  readonly line: number;
}

interface GrepDeps {
  readonly tenants: Tenants;
  readonly cursors: Cursors;
  readonly patterns: PatternWorkers;
}

/**
 * POST search/grep: matching lines of the files in a subtree, from one snapshot, in tree order. Only few
 * files are in memory at a time. Hidden and binary files are skipped. Files derived from text are not
 * searched, because their source is, unless the scope is inside them.
 */
export async function grep(deps: GrepDeps, call: ServiceCall, input: GrepInput): Promise<GrepResult> {
  const limit = checkSearchLimit(input.nodeLimit);
  const pattern = new LinePattern(input.pattern, input.caseInsensitive);
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { workspace, owner } = tenant;
  const path = workspace.uris.parse(input.uri);
  checkVisible(owner, path, input.uri);
  const uri = workspace.uris.format(path);
  const args = [uri, input.pattern, input.caseInsensitive];
  const list = { operation: "grep", caller: call.caller, incarnation: workspace.incarnation, args };
  const resumed = deps.cursors.open(list, input.cursor);
  const after = resumed === undefined ? undefined : placeOf(resumed);
  const lines = new LineSearch(
    pattern,
    input,
    deps.patterns.begin(workspace.incarnation, call.signal, "pattern"),
  );
  await lines.check();
  const search = new Search(tenant, pattern, lines, call.signal);
  const cut = (file: Path, line = 0): GrepResult =>
    search.result(deps.cursors.seal(list, `${line}/${file.slice(path.length).join("/")}`));
  const lastPath = () => present(search.last, "file before this one").path;
  const rendered = renderedAt(workspace, owner, path);
  if (rendered) {
    const line = await search.file(openRendered(rendered), after?.line ?? 0);
    return line === undefined ? search.result() : cut(path, line);
  }
  const snapshot = workspace.kv.snapshot();
  try {
    const start = mustLocate(snapshot, workspace.keys, owner, path, uri);
    for await (const opened of openFiles(workspace, snapshot, owner, files(tenant, snapshot, start, after))) {
      await search.turn();
      for (const file of opened) {
        if (search.files === limit) return cut(lastPath());
        if (search.passes(file)) continue;
        const isResumed =
          search.files === 0 && after?.path.join("/") === file.listed.path.slice(path.length).join("/");
        const line = await search.file(file, isResumed ? after.line : 0);
        // line 0: the response was full before this file
        if (line === 0) return cut(lastPath());
        if (line !== undefined) return cut(file.listed.path, line);
        search.last = file.listed;
      }
    }
    return search.result();
  } finally {
    snapshot.close();
  }
}

function placeOf(text: string): Place {
  const [line, ...path] = text.split("/");
  return { line: Number(line), path: path.filter((name) => name !== "") };
}

/** The files of the scope after a position, in batches. */
async function* files(
  { workspace, owner }: Tenant,
  snapshot: KvSnapshot,
  start: Located,
  after: Place | undefined,
): AsyncGenerator<readonly Listed[]> {
  if (start.kind === "file") {
    yield [listedOf(workspace, start)];
    return;
  }
  if (after && after.line > 0) {
    const resumed = locate(snapshot, workspace.keys, owner, [...start.path, ...after.path]);
    if (resumed?.kind === "file") yield [listedOf(workspace, resumed)];
    const rendered = resumed
      ? undefined
      : renderedAt(workspace, owner, [...start.path, ...after.path], snapshot);
    if (rendered) yield [rendered.listed];
  }
  const isInside = start.entry?.source !== undefined;
  const below = walkRuns(workspace, snapshot, owner, start, {
    levels: 0,
    showHidden: false,
    ...(after && { after: after.path }),
    ...(!isInside && {
      without: ({ entry }: Listed) => entry?.source !== undefined && isSearchedInOrigin(workspace, entry),
    }),
  });
  for await (const { items } of below) yield items.filter(({ isDirectory }) => !isDirectory);
}

/**
 * Whether the source is searched instead: sections are parts of a text, but the derived text of a binary file
 * is searched itself.
 */
function isSearchedInOrigin(workspace: Workspace, entry: Entry): boolean {
  if (entry.kind === "directory") return true;
  if (entry.source === undefined) return false;
  return workspace.entryOf(entry.source)?.entry.mime?.startsWith("text/") ?? false;
}

async function* asyncOf(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts;
}

class Search {
  files = 0;
  /** The last file that was searched completely. */
  last: Listed | undefined;
  readonly #format: (path: Path) => string;
  readonly #owner: Owner;
  readonly #pattern: LinePattern;
  readonly #lines: LineSearch;
  readonly #signal: AbortSignal;
  readonly #yielder: EventLoopYielder;
  readonly #size = new AnswerSize();
  readonly #matches: GrepResult["matches"] = [];

  constructor(
    { workspace: { uris, incarnation }, owner }: Tenant,
    pattern: LinePattern,
    lines: LineSearch,
    signal: AbortSignal,
  ) {
    this.#format = (path) => uris.format(path);
    this.#owner = owner;
    this.#yielder = new EventLoopYielder(incarnation);
    this.#pattern = pattern;
    this.#lines = lines;
    this.#signal = signal;
  }

  turn(): Promise<void> {
    this.#signal.throwIfAborted();
    return this.#yielder.yieldIfDue();
  }

  /** Whether the caller may still read a file: access may be revoked while the files before are searched. */
  #isReadable({ path, entry }: Listed): boolean {
    return !entry || (this.#owner.access?.stillReads(path, entry.node) ?? true);
  }

  /**
   * Whether a loaded file can be skipped because it certainly has no match, which is true for most files if
   * the word is rare.
   */
  passes({ listed, content }: OpenFile): boolean {
    if (typeof content !== "string" || this.#pattern.mayMatch(content)) return false;
    this.files++;
    this.last = listed;
    return true;
  }

  /**
   * Searches a file after a line. Returns the last line that fits if the response is full; otherwise
   * undefined.
   */
  async file({ listed, content, parts }: OpenFile, after: number): Promise<number | undefined> {
    this.files++;
    await this.turn();
    if (!this.#isReadable(listed)) return undefined;
    if (parts) return this.#inParts(listed, parts, after);
    const text = typeof content === "string" ? content : textOf(await content());
    return text === undefined ? undefined : this.text(this.#format(listed.path), text, after);
  }

  async #inParts(
    listed: Listed,
    parts: NonNullable<OpenFile["parts"]>,
    after: number,
  ): Promise<number | undefined> {
    const encoding = await encodingOf(asyncOf(parts(SAMPLE_BYTES)));
    if (encoding === undefined) return undefined;
    const uri = this.#format(listed.path);
    for await (const { text, linesBefore } of textPieces(parts(), encoding)) {
      await this.turn();
      if (!this.#isReadable(listed)) return undefined;
      const line = await this.text(uri, text, after, linesBefore);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  async text(uri: string, text: string, after = 0, linesBefore = 0): Promise<number | undefined> {
    const from = lineBehind(text, Math.max(0, after - linesBefore));
    if (!from) return undefined;
    for await (const place of this.#lines.search(text, from, () => this.turn())) {
      if (this.#size.isFull) return lastOf(this.#matches).uri === uri ? lastOf(this.#matches).line : after;
      const match = lineMatch(text, place);
      this.#matches.push({ uri, ...match, line: match.line + linesBefore });
      this.#size.add(uri, match.content);
    }
    return undefined;
  }

  result(nextCursor?: string): GrepResult {
    return {
      matches: this.#matches,
      count: this.#matches.length,
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }
}
