import { EventLoopYielder } from "../../base/event-loop.ts";
import { notFound } from "../../domain/errors.ts";
import { RESERVED_NAMES, reservedIn } from "../../domain/scope.ts";
import type { Path } from "../../domain/uri.ts";
import type { DeadProperty } from "../../workspace/records.ts";
import { type Listed, listedOf } from "../../workspace/tree/listed.ts";
import { children } from "../../workspace/tree/listing.ts";
import { mustLocate } from "../../workspace/tree/locate.ts";
import { propertiesOf } from "../../workspace/tree/node-properties.ts";
import { shownTags } from "../../workspace/tree/node-tags.ts";
import { layerAt, renderedAt } from "../../workspace/tree/rendered.ts";
import { countedBytes } from "../../workspace/tree/stored-bytes.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { visiblePath } from "../visible-path.ts";

/** Maximum number of children per page, and of characters in their layers and properties. */
const PAGE = 1000;
const PAGE_LENGTH = 1024 * 1024;

/** A file or directory as shown by a file manager. */
export interface NodeDescription {
  readonly path: Path;
  readonly isDirectory: boolean;
  /** Size in bytes. */
  readonly size: number;
  /** Unix time in ms. */
  readonly created: number;
  readonly modified: number;
  readonly mime?: string | undefined;
  /** Content hash; absent for directories and rendered files. */
  readonly etag?: string | undefined;
  /** L0 and L1, if requested and existing. */
  readonly abstract?: string | undefined;
  readonly overview?: string | undefined;
  /** The node's own tags. */
  readonly tags: readonly string[];
  /** Client-defined properties, if requested. */
  readonly properties: readonly DeadProperty[];
  /** True for a folder of which the caller may know only the name, because a node below it is readable. */
  readonly isPassed: boolean;
}

export interface NodePage {
  readonly self: NodeDescription;
  readonly children: readonly NodeDescription[];
  /** Name after which the next page starts; undefined at the end. */
  readonly next: string | undefined;
  /** Stored bytes of the account. */
  readonly usedBytes: number;
  /** Maximum of `usedBytes`; 0: no limit. */
  readonly maxBytes: number;
}

export interface DescribeInput {
  readonly uri: string;
  readonly withChildren: boolean;
  /** Return only children after this name. */
  readonly after?: string | undefined;
  readonly withLayers: boolean;
  readonly withProperties: boolean;
}

/**
 * A node and a page of its children, except derived nodes (layers, metadata, text, document sections).
 * NOT_FOUND for a derived node.
 */
export async function describeNodes(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: DescribeInput,
): Promise<NodePage> {
  const { workspace, owner, path, uri } = await visiblePath(deps, call, input.uri);
  if (reservedIn(path) !== undefined) throw notFound("resource", uri);
  const quota = {
    usedBytes: countedBytes(workspace.kv, workspace.keys) ?? 0,
    maxBytes: workspace.limits.quotas.bytes,
  };
  const show = (item: Listed) => description({ workspace, owner }, item, input);
  const rendered = renderedAt(workspace, owner, path);
  if (rendered) return { self: show(rendered.listed), children: [], next: undefined, ...quota };
  const located = mustLocate(workspace.kv, workspace.keys, owner, path, uri);
  if (located.entry?.source !== undefined) throw notFound("resource", uri);
  const self = show(listedOf(workspace, located));
  const found: NodeDescription[] = [];
  if (!input.withChildren || located.kind === "file")
    return { self, children: found, next: undefined, ...quota };
  const yielder = new EventLoopYielder(workspace.incarnation);
  let length = 0;
  for await (const item of children(workspace, workspace.kv, owner, located, true, input.after)) {
    if (item.entry?.source !== undefined || RESERVED_NAMES.has(item.name)) continue;
    if (found.length === PAGE || length > PAGE_LENGTH)
      return { self, children: found, next: found.at(-1)?.path.at(-1), ...quota };
    const child = show(item);
    found.push(child);
    length += lengthOf(child);
    await yielder.yieldIfDue();
  }
  return { self, children: found, next: undefined, ...quota };
}

const lengthOf = ({ abstract = "", overview = "", properties }: NodeDescription): number =>
  properties.reduce((sum, { value }) => sum + value.length, abstract.length + overview.length);

function description(
  { workspace, owner }: Tenant,
  item: Listed,
  { withLayers, withProperties }: DescribeInput,
): NodeDescription {
  const { path, isDirectory, size, created, modified, entry } = item;
  const isPassed = entry !== undefined && (owner.access?.passed.has(entry.node) ?? false);
  return {
    path,
    isDirectory,
    size,
    created,
    modified,
    mime: entry?.mime,
    etag: entry?.hash,
    ...(withLayers && {
      abstract: layerAt(workspace, owner, item, 0),
      overview: layerAt(workspace, owner, item, 1),
    }),
    tags: shownTags(workspace, owner, item.node),
    properties:
      withProperties && entry && !isPassed ? propertiesOf(workspace.kv, workspace.keys, entry.node) : [],
    isPassed,
  };
}
