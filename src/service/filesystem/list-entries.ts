import { EventLoopYielder } from "../../base/event-loop.ts";
import type { NodeId } from "../../domain/node.ts";
import { checkVisible } from "../../domain/scope.ts";
import { checkTags } from "../../domain/tags.ts";
import type { Path } from "../../domain/uri.ts";
import { isSections, type Listed, listedOf } from "../../workspace/tree/listed.ts";
import { walkRuns } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { taggedWith } from "../../workspace/tree/node-tags.ts";
import { renderedAt } from "../../workspace/tree/rendered.ts";
import { AnswerLength } from "../answer-length.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import {
  type AgentEntry,
  agentEntry,
  checkNodeLimit,
  checkOutput,
  DEFAULT_ABSTRACT_LIMIT,
  type OriginalEntry,
  originalEntry,
  sourceUri,
} from "./entry-view.ts";

export interface ListInput {
  readonly uri: string;
  readonly output?: string | undefined;
  readonly absLimit?: number | undefined;
  readonly showAllHidden: boolean;
  readonly nodeLimit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Omit folders of sections, unless the list starts in one. */
  readonly hideSections?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

export type EntryLine = string | ((OriginalEntry | AgentEntry) & { rel_path?: string });

export interface EntryPage {
  readonly entries: EntryLine[];
  /** Cursor to resume a list that `node_limit` or the response size has cut. */
  readonly nextCursor?: string;
}

interface Listing extends ListInput {
  readonly list: string;
  readonly levels: number;
  readonly simple: boolean;
  readonly withRelPath: boolean;
  readonly limit: number;
}

/** GET fs/ls: lists a directory, or a single file. `recursive`: like tree without a depth limit. */
export async function listEntries(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  input: ListInput & {
    readonly simple: boolean;
    readonly recursive: boolean;
    readonly limit?: number | undefined;
  },
): Promise<EntryPage> {
  const limit = checkNodeLimit(input.nodeLimit, input.limit);
  return listBelow(deps, call, {
    ...input,
    limit,
    list: "ls",
    levels: input.recursive ? 0 : 1,
    withRelPath: input.recursive,
  });
}

/** Shared by ls and tree. */
export async function listBelow(
  deps: { tenants: Tenants; cursors: Cursors },
  call: ServiceCall,
  listing: Listing,
): Promise<EntryPage> {
  const output = checkOutput(listing.output);
  const tags = checkTags(listing.tags ?? [], "tags");
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const { workspace, owner } = tenant;
  const path = workspace.uris.parse(listing.uri);
  checkVisible(owner, path, listing.uri);
  const uri = workspace.uris.format(path);
  const hidesSections = listing.hideSections === true;
  const args = [uri, listing.levels, listing.showAllHidden, hidesSections, ...tags];
  const list = { operation: listing.list, caller: call.caller, incarnation: workspace.incarnation, args };
  const after = deps.cursors.open(list, listing.cursor)?.split("/");
  const paths = new Map<NodeId, Path>();
  const show = (item: Listed): EntryLine =>
    view(tenant, item, sourceUri(tenant, item, paths), path, listing, output);
  const rendered = renderedAt(workspace, owner, path);
  const isListed = taggedWith(workspace, owner, tags);
  const only = (item: Listed) => ({ entries: isListed(item.node) ? [show(item)] : [] });
  if (rendered) return only(rendered.listed);
  // a snapshot keeps the list consistent over many reads: a directory that moves meanwhile appears once
  const snapshot = workspace.kv.snapshot();
  try {
    const start = mustLocate(snapshot, workspace.keys, owner, path, uri);
    if (start.kind === "file") return only(listedOf(workspace, start));
    const entries: EntryLine[] = [];
    const length = new AnswerLength();
    let last: Pick<Listed, "path"> = start;
    const yielder = new EventLoopYielder(workspace.incarnation);
    for await (const { items } of walkRuns(workspace, snapshot, owner, start, {
      levels: listing.levels,
      showHidden: listing.showAllHidden,
      ...(after && { after }),
      ...(hidesSections && start.entry?.source === undefined && { without: isSections }),
    })) {
      call.signal.throwIfAborted();
      await yielder.yieldIfDue();
      for (const item of items) {
        if (!isListed(item.node)) continue;
        if (entries.length === listing.limit || length.isFull)
          return { entries, nextCursor: deps.cursors.seal(list, last.path.slice(path.length).join("/")) };
        const entry = show(item);
        entries.push(entry);
        length.add(
          ...Object.values(typeof entry === "string" ? [entry] : entry).filter(
            (value) => typeof value === "string",
          ),
        );
        last = item;
      }
    }
    return { entries };
  } finally {
    snapshot.close();
  }
}

function view(
  tenant: Tenant,
  item: Listed,
  source: string | undefined,
  start: Path,
  listing: Listing,
  output: "original" | "agent",
): EntryLine {
  const { workspace } = tenant;
  if (listing.simple) return workspace.uris.format(item.path);
  const entry =
    output === "agent"
      ? agentEntry(tenant, item, source, listing.absLimit ?? DEFAULT_ABSTRACT_LIMIT)
      : originalEntry(tenant, item, source);
  return listing.withRelPath ? { ...entry, rel_path: item.path.slice(start.length).join("/") } : entry;
}
