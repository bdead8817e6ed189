import {
  type Entry,
  FIRST_FREE_NODE,
  isSourceCode,
  NO_NODE,
  type NodeId,
  type NodeRecord,
  nodeId,
} from "../../domain/node.ts";
import { isHidden } from "../../domain/scope.ts";
import { entryParts, nodeOfKey } from "../keys.ts";
import { ENTRIES, NODE_PROPERTIES, NODE_RECORDS, NODE_TAGS, USAGES } from "../records.ts";
import { tagsOf } from "../tree/node-tags.ts";
import type { Audit } from "./findings.ts";

const NONE = -1;

/** Node table computed from the entries, for comparison with the one in memory. */
interface Expected {
  readonly parent: Int32Array;
  readonly hidden: Uint8Array;
  readonly children: Uint32Array;
  readonly below: Uint32Array;
}

/**
 * Verifies entries and node records in both directions, reachability, derived nodes, the node table, usage
 * and tags.
 */
export async function verifyTree(audit: Audit): Promise<void> {
  const { table, keys } = audit.workspace;
  const size = table.size;
  const expected: Expected = {
    parent: new Int32Array(size).fill(NONE),
    hidden: new Uint8Array(size),
    children: new Uint32Array(size),
    below: new Uint32Array(size),
  };
  for await (const [key, value] of audit.records(keys.allEntries())) {
    const [directory, name] = entryParts(keys, key);
    const entry = ENTRIES.decode(value, key);
    if (!checkEntry(audit, directory, name, entry)) continue;
    checkDerived(audit, directory, entry);
    checkRow(audit, directory, name, entry, expected);
  }
  for await (const [key, value] of audit.records(keys.allNodes()))
    checkRecord(audit, nodeOfKey(key), NODE_RECORDS.decode(value, key));
  compareCounts(audit, expected);
  for await (const [key, value] of audit.records(keys.allUsage()))
    checkUsage(audit, nodeOfKey(key), USAGES.decode(value, key));
  for await (const [key, value] of audit.records(keys.allProperties())) {
    NODE_PROPERTIES.decode(value, key);
    if (audit.placeOf(nodeOfKey(key)) === "lost") audit.report("property", nodeOfKey(key), "no such node");
  }
  for await (const [key, value] of audit.records(keys.allTags()))
    checkTags(audit, nodeOfKey(key), NODE_TAGS.decode(value, key));
}

function checkTags(audit: Audit, node: NodeId, tags: readonly string[]): void {
  if (audit.placeOf(node) === "lost") audit.report("tag", node, "no such node");
  const inMemory = audit.workspace.table.tagsOf(node).join(" ");
  const inRecord = tags.join(" ");
  if (inMemory !== inRecord)
    audit.report("tag", node, `its tags are "${inMemory}" in memory and "${inRecord}" in its record`);
  const entry = audit.liveEntry(node);
  const { text, sections } = (entry && audit.workspace.entryOf(node)?.record.derived) ?? {};
  for (const derived of [text, sections]) {
    if (derived === undefined) continue;
    if (tagsOf(audit.workspace.kv, audit.workspace.keys, derived).join(" ") !== inRecord)
      audit.report("tag", derived, `its tags are not those of node ${node}, from which it is derived`);
  }
}

/** Returns false if the node belongs to another entry, so that this one cannot be checked further. */
function checkEntry(audit: Audit, directory: NodeId, name: string, entry: Entry): boolean {
  const { node } = entry;
  const shown = `entry ${JSON.stringify(name)} in ${audit.named(directory)}`;
  audit.checkNumber("node", node, node);
  audit.checkNumber("generation", entry.generation, node);
  const found = NODE_RECORDS.read(audit.workspace.kv, audit.workspace.keys.node(node));
  if (!found) {
    audit.report("entry", shown, `node ${node} has no record`);
    return false;
  }
  if (found.directory !== directory || found.name !== name) {
    audit.report(
      "entry",
      shown,
      `the record of node ${node} names another entry, ${JSON.stringify(found.name)} in ${audit.named(found.directory)}`,
    );
    return false;
  }
  if (audit.placeOf(node) === "lost")
    audit.report("entry", shown, `node ${node} cannot be reached, and no purge or import owns it`);
  return true;
}

function checkRecord(audit: Audit, node: NodeId, record: NodeRecord): void {
  const entry = ENTRIES.read(audit.workspace.kv, audit.workspace.keys.entry(record.directory, record.name));
  if (entry?.node !== node && audit.placeOf(node) !== "pending")
    audit.report(
      "node",
      node,
      `no entry ${JSON.stringify(record.name)} in node ${record.directory} names it`,
    );
}

/** Checks that derived nodes and their source refer to each other. */
function checkDerived(audit: Audit, directory: NodeId, entry: Entry): void {
  const { workspace } = audit;
  if (audit.placeOf(entry.node) !== "reachable") return;
  for (const made of Object.values(workspace.entryOf(entry.node)?.record.derived ?? {})) {
    if (audit.liveEntry(made)?.source !== entry.node)
      audit.report("node", entry.node, `node ${made} is noted as derived from it and is not`);
  }
  const { source } = entry;
  if (source === undefined || workspace.entryOf(directory)?.entry.source === source) return;
  const origin = audit.liveEntry(source) && workspace.entryOf(source);
  if (!origin) {
    audit.report("entry", entry.node, `node ${source}, from which it is derived, is gone`);
    return;
  }
  const { text, sections } = origin.record.derived ?? {};
  if (text !== entry.node && sections !== entry.node)
    audit.report("entry", entry.node, `node ${source}, from which it is derived, does not know it`);
  else if (origin.record.directory !== directory)
    audit.report("entry", entry.node, `it is derived from node ${source} and not beside it`);
}

function checkRow(audit: Audit, directory: NodeId, name: string, entry: Entry, expected: Expected): void {
  const { table } = audit.workspace;
  const { node } = entry;
  if (node >= table.size) {
    audit.report("table", node, "it is not in the table");
    return;
  }
  const facts: [what: string, inMemory: number | undefined, inRecords: number][] = [
    ["parent", table.parent[node], directory],
    ["generation", table.generation[node], entry.generation],
    ["kind", table.isDirectory[node], entry.kind === "directory" ? 1 : 0],
    ["language", table.isCode[node], isSourceCode(entry.mime) ? 1 : 0],
    ["source", table.sourceOf(node), entry.source ?? NO_NODE],
    ["time", table.updatedAt[node], entry.modified],
    ["visibility", table.visibleCount(node) === 0 ? 1 : 0, isHidden(name) ? 1 : 0],
  ];
  for (const [what, inMemory, inRecords] of facts) {
    if (inMemory !== inRecords)
      audit.report("table", node, `its ${what} is ${inMemory} in memory and ${inRecords} in its entry`);
  }
  expected.parent[node] = directory;
  expected.hidden[node] = isHidden(name) ? 1 : 0;
}

function compareCounts(audit: Audit, expected: Expected): void {
  const { table } = audit.workspace;
  const { parent, hidden, children, below } = expected;
  const above = (node: number): number => (node < FIRST_FREE_NODE ? table.parent[node] : parent[node]) ?? 0;
  for (let node: number = FIRST_FREE_NODE; node < parent.length; node++) {
    if (parent[node] === NONE || audit.placeOf(nodeId(node)) === "lost") continue;
    const directory = parent[node] ?? 0;
    children[directory] = (children[directory] ?? 0) + 1;
    if (hidden[node]) continue;
    for (let at = directory; at > 0; at = above(at)) {
      below[at] = (below[at] ?? 0) + 1;
      // hidden entries do not count toward their parents
      if (hidden[at]) break;
    }
  }
  for (let at = 1; at < parent.length; at++) {
    const node = nodeId(at);
    const counted: [what: string, inMemory: number, inRecords: number | undefined][] = [
      ["children", table.children(node), children[node]],
      ["nodes below", table.below(node), below[node]],
    ];
    for (const [what, inMemory, inRecords] of counted) {
      if (inMemory !== inRecords)
        audit.report("table", node, `it has ${inMemory} ${what} in memory and ${inRecords} in the records`);
    }
    const isStray = node >= FIRST_FREE_NODE && parent[node] === NONE && (table.parent[node] ?? 0) > 0;
    if (isStray) audit.report("table", node, "it is in the table and has no entry");
  }
}

function checkUsage(audit: Audit, node: NodeId, usage: { readonly activeCount: number }): void {
  if (audit.placeOf(node) === "lost") {
    audit.report("usage", node, "no such node");
    return;
  }
  const inMemory = audit.workspace.table.activeCount[node] ?? 0;
  if (inMemory !== usage.activeCount)
    audit.report(
      "usage",
      node,
      `its use count is ${inMemory} in memory and ${usage.activeCount} in its record`,
    );
}
