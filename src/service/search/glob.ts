import { YieldBudget } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { compileGlob } from "../../domain/patterns/glob.ts";
import { checkVisible } from "../../domain/scope.ts";
import { checkTags } from "../../domain/tags.ts";
import type { Path } from "../../domain/uri.ts";
import { isSections, type Listed } from "../../workspace/tree/listed.ts";
import { walkRuns } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { taggedWith } from "../../workspace/tree/node-tags.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { AnswerSize, checkSearchLimit } from "./grep-answer-length.ts";

export interface GlobInput {
  readonly pattern: string;
  readonly uri?: string | undefined;
  /** Maximum number of matches. */
  readonly nodeLimit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Omit folders of sections, unless the search starts in one. */
  readonly hideSections?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface GlobResult {
  matches: string[];
  count: number;
  /** Cursor to resume a search that `node_limit` or the response size has cut. */
  nextCursor?: string;
}

/** Pattern steps between two yields; a few milliseconds. */
const STEPS_PER_TURN = 150_000;
/** Steps charged for reading a directory. */
const STEPS_PER_RUN = 10_000;
/** Maximum steps for all names of a call; bounds its time. */
const MAX_STEPS = 2_000_000_000;

/**
 * POST search/glob: files and directories below a path whose names match the pattern, in tree order, without
 * hidden ones. Throws INVALID_ARGUMENT for a pattern that needs too many steps.
 */
export async function glob(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  input: GlobInput,
): Promise<GlobResult> {
  const limit = checkSearchLimit(input.nodeLimit);
  const hidesSections = input.hideSections === true;
  const pattern = input.pattern.normalize("NFC");
  const tags = checkTags(input.tags ?? [], "tags");
  const work = { steps: 0 };
  const matches = compileGlob(pattern, "pattern", work);
  const { workspace, owner } = await deps.tenants.openOrEmpty(call.caller);
  const path = input.uri === undefined ? [] : workspace.uris.parse(input.uri);
  const uri = workspace.uris.format(path);
  checkVisible(owner, path, uri);
  const list = {
    operation: "glob",
    caller: call.caller,
    incarnation: workspace.incarnation,
    args: [uri, pattern, hidesSections, ...tags],
  };
  const after = deps.cursors.open(list, input.cursor)?.split("/");
  if (renderedAt(workspace, owner, path)) return { matches: [], count: 0 };
  const snapshot = workspace.kv.snapshot();
  try {
    const start = mustLocate(snapshot, workspace.keys, owner, path, uri);
    const found: string[] = [];
    if (start.kind === "file") return { matches: found, count: 0 };
    const [turns, size, without] = [
      new YieldBudget(STEPS_PER_TURN, call.signal, workspace.incarnation),
      new AnswerSize(),
      skipping(elsewhere(pattern, path), hidesSections && start.entry?.source === undefined),
    ];
    const isFound = taggedWith(workspace, owner, tags);
    const base = path.length === 0 ? uri : `${uri}/`;
    let last = "";
    for await (const { directory, items } of walkRuns(workspace, snapshot, owner, start, {
      levels: levelsOf(pattern),
      showHidden: false,
      ...(without && { without }),
      ...(after && { after }),
    })) {
      call.signal.throwIfAborted();
      await turns.spend(STEPS_PER_RUN);
      const above = directory
        .slice(path.length)
        .map((name) => `${name}/`)
        .join("");
      for (const item of items) {
        const relative = above + item.name;
        const before = work.steps;
        const isMatch = matches(relative);
        await turns.spend(work.steps - before);
        if (work.steps > MAX_STEPS) throw tooSlow(uri);
        if (!isMatch || !isFound(item.node)) continue;
        if (found.length === limit || size.isFull)
          return { matches: found, count: found.length, nextCursor: deps.cursors.seal(list, last) };
        last = relative;
        found.push(base + relative);
        size.add(lastOf(found));
      }
    }
    return { matches: found, count: found.length };
  } finally {
    snapshot.close();
  }
}

const tooSlow = (uri: string) =>
  invalidArgument(
    "pattern",
    `needs more than ${MAX_STEPS} steps for the names below ${uri}: use fewer wildcards, or a smaller folder as uri`,
  );

/** Number of levels below which nothing can match; 0: unlimited. */
const levelsOf = (pattern: string): number => (pattern.includes("**") ? 0 : pattern.split("/").length);

/** Whether a walk skips an entry. */
type Skip = (item: Listed, directory: Path) => boolean;

const skipping = (elsewhere: Skip | undefined, hidesSections: boolean): Skip | undefined =>
  hidesSections ? (item, directory) => isSections(item) || elsewhere?.(item, directory) === true : elsewhere;

/** Skips directories that cannot match the literal prefix of a pattern. */
function elsewhere(pattern: string, start: Path): Skip | undefined {
  const segments = pattern.split("/");
  const special = segments.findIndex((segment) => /[*?[\]{}\\]/.test(segment));
  const plain = segments.slice(0, special < 0 ? segments.length : special);
  if (plain.length === 0) return undefined;
  return ({ name }, directory) => {
    const wanted = plain[directory.length - start.length];
    return wanted !== undefined && wanted !== name;
  };
}
