import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument, ServiceError } from "../../domain/errors.ts";
import { textOf } from "../../domain/text/decode.ts";
import { diffLines, numberLines } from "../../domain/text/line-diff.ts";
import { unifiedDiff } from "../../domain/text/unified-diff.ts";
import { versionOf } from "../../workspace/tree/versions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";
import { MAX_READ_BYTES } from "./read-content.ts";
import { inVersion, versionedAt } from "./readable-file.ts";

/** Maximum bytes of a version, because some steps of the comparison block the event loop. */
const MAX_DIFF_BYTES = 1024 * 1024;
/** Memory per byte of both versions: content, text, lines and line numbers. */
const DIFF_COST = 12;
/** Memory limit of the edit trace, in bytes (line-diff.ts). */
const EDITS_BYTES = 16 * 1024 * 1024;
const DEFAULT_CONTEXT = 3;
const MAX_CONTEXT = 100;

interface Difference {
  uri: string;
  fromVersion: number;
  toVersion: number;
  diff: string;
  added: number;
  removed: number;
  isCoarse: boolean;
}

/** GET content/diff: a unified diff of two versions of a text file. */
export async function diffVersions(
  deps: { readonly tenants: Tenants },
  call: ServiceCall,
  input: {
    readonly uri: string;
    readonly fromVersion?: number | undefined;
    readonly toVersion?: number | undefined;
    readonly context?: number | undefined;
  },
): Promise<Difference> {
  const context = input.context ?? DEFAULT_CONTEXT;
  if (context > MAX_CONTEXT) throw invalidArgument("context", `must be 0 to ${MAX_CONTEXT}`);
  const { workspace, entry, uri } = await versionedAt(deps, call, input.uri);
  const to = input.toVersion ?? versionOf(entry);
  const from = input.fromVersion ?? to - 1;
  if (from < 1 && input.fromVersion === undefined)
    throw invalidArgument(
      "from_version",
      `is required, because version ${to} of ${uri} is the first version`,
    );
  const sides = [from, to].map((version) => {
    const side = inVersion(workspace, entry, uri, version);
    if (side.size > MAX_DIFF_BYTES)
      throw tooLong(uri, `version ${version} has ${side.size} bytes`, MAX_DIFF_BYTES);
    return { side, version };
  });
  const size = sides.reduce((sum, { side }) => sum + side.size, 0);
  const lease = call.reserve?.(DIFF_COST * size + EDITS_BYTES);
  try {
    // look up both in one turn of the event loop, so that neither is removed before it is read
    const contents = sides.map(({ side }) => workspace.contents.open(side));
    const texts: string[] = [];
    for (const [i, { version }] of sides.entries()) {
      const content = contents[i];
      const bytes = typeof content === "function" ? await content() : content;
      const text = bytes && textOf(bytes);
      if (text === undefined)
        throw invalidArgument(
          "uri",
          `version ${version} of ${uri} is binary: only text files can be compared`,
        );
      texts.push(text);
    }
    const [before = "", after = ""] = texts;
    const names = { from: `${uri}\tversion ${from}`, to: `${uri}\tversion ${to}` };
    const maxBytes = Math.min(MAX_READ_BYTES, call.maxAnswerBytes ?? MAX_READ_BYTES);
    const shown = await difference(workspace, [before, after], names, { context, maxBytes });
    if (!shown) throw tooLong(uri, "the diff is longer", maxBytes);
    return { uri, fromVersion: from, toVersion: to, ...shown };
  } finally {
    lease?.release();
  }
}

/** Undefined if the diff exceeds the response limit. */
async function difference(
  workspace: Workspace,
  [before, after]: readonly [before: string, after: string],
  names: { readonly from: string; readonly to: string },
  { context, maxBytes }: { readonly context: number; readonly maxBytes: number },
): Promise<Pick<Difference, "diff" | "added" | "removed" | "isCoarse"> | undefined> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const texts = await yielder.through(numberLines(before, after));
  const { changes, isCoarse } = await yielder.through(diffLines(texts.before, texts.after));
  const limits = { context, maxLength: maxBytes };
  const unified = await yielder.through(unifiedDiff(names, texts, changes, limits));
  if (!unified || Buffer.byteLength(unified.text) > maxBytes) return undefined;
  const { text, added, removed } = unified;
  return { diff: text.toWellFormed(), added, removed, isCoarse };
}

function tooLong(uri: string, what: string, limit: number): ServiceError {
  const reason = `${what}, and at most ${limit} can be compared: read both versions by content/read (ReadContent) with version`;
  return new ServiceError("RESOURCE_EXHAUSTED", `${uri}: ${reason}`, { resource: uri, reason, limit });
}
