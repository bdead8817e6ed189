import { createHash } from "node:crypto";
import type { Entry, NodeId } from "../../domain/node.ts";
import { prefixRange } from "../../storage/kv.ts";
import { versionOfKey } from "../keys.ts";
import { BLOBS, ENTRIES, VERSIONS } from "../records.ts";
import { KEPT_NODES } from "../snapshots/records.ts";
import { BLOB_GRACE_MS, blobNamedBy, hashOfBlob } from "../tree/contents.ts";
import { countedBytes, countedNodes, countedVersions, recountStored } from "../tree/stored-bytes.ts";
import { MAX_VERSIONS_PER_FILE } from "../version-limits.ts";
import type { Audit } from "./findings.ts";

/** Verifies contents by entry and by record, blobs and their references, and layers. */
export async function verifyContents(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  for await (const [key, value] of audit.records(keys.allEntries())) {
    const entry = ENTRIES.decode(value, key);
    if (audit.placeOf(entry.node) !== "reachable") continue;
    if (entry.kind === "file") await checkContent(audit, entry);
    checkLayers(audit, entry);
  }
  const references = new Map<string, number>();
  let kept: { readonly node: NodeId; readonly generations: ReadonlySet<number> } | undefined;
  for await (const [key, value] of audit.records(keys.allContents())) {
    const [node, generation] = versionOfKey(key);
    if (!audit.owns(node, generation)) {
      if (node !== kept?.node) kept = await keptOf(audit, node);
      if (!kept.generations.has(generation))
        audit.report("content", node, `content of generation ${generation} belongs to nothing`);
    }
    const hash = blobNamedBy(value);
    if (hash !== undefined) references.set(hash, (references.get(hash) ?? 0) + 1);
  }
  await checkBlobs(audit, references);
  await checkStored(audit);
  for await (const [key] of audit.records(keys.allLayers())) {
    const [node, generation] = versionOfKey(key.slice(0, key.lastIndexOf("/")));
    if (!audit.owns(node, generation))
      audit.report(
        "layer",
        node,
        `layer ${key.slice(key.lastIndexOf("/") + 1)} of generation ${generation} belongs to nothing`,
      );
  }
}

/** Generations of a node that are stored as versions (at most MAX_VERSIONS_PER_FILE) or for snapshots. */
async function keptOf(
  { workspace: { kv, keys } }: Audit,
  node: NodeId,
): Promise<{ readonly node: NodeId; readonly generations: ReadonlySet<number> }> {
  const records = await kv.range(prefixRange(keys.versions(node), MAX_VERSIONS_PER_FILE + 1));
  const kept = KEPT_NODES.read(kv, keys.keptNode(node))?.contents ?? [];
  const generations = new Set(records.map(([key, value]) => VERSIONS.decode(value, key)[0]));
  for (const [generation] of kept) generations.add(generation);
  return { node, generations };
}

const COUNTS = [
  ["bytes", "bytes stored"],
  ["versions", "bytes of versions"],
  ["nodes", "nodes"],
  ["chunks", "chunks"],
] as const;

async function checkStored(audit: Audit): Promise<void> {
  const { kv, keys } = audit.workspace;
  const found = await recountStored(kv, keys);
  const counted = {
    bytes: countedBytes(kv, keys) ?? 0,
    versions: countedVersions(kv, keys),
    ...countedNodes(kv, keys),
  };
  for (const [name, what] of COUNTS)
    if (counted[name] !== found[name])
      audit.report(
        "stored",
        name,
        `the account counts ${counted[name]} ${what}, its records have ${found[name]}`,
      );
}

async function checkContent(audit: Audit, entry: Entry): Promise<void> {
  const { workspace } = audit;
  const value = workspace.kv.get(workspace.keys.content(entry.node, entry.generation));
  if (!value) {
    audit.report("content", entry.node, "its content is missing");
    return;
  }
  const blob = blobNamedBy(value);
  if (blob !== undefined && hashOfBlob(blob) !== entry.hash)
    audit.report("content", entry.node, `its content is in blob ${blob}, its entry has hash ${entry.hash}`);
  if (blob !== undefined && !(await workspace.contents.hasBlob(blob))) {
    audit.report("blob", entry.node, `blob ${blob}, its content, is missing`);
    return;
  }
  const sum = createHash("sha256");
  let size = 0;
  const parts: AsyncIterable<Uint8Array> = workspace.contents.stream(entry, 0, Number.MAX_SAFE_INTEGER);
  for await (const part of parts) {
    sum.update(part);
    size += part.byteLength;
  }
  if (size !== entry.size)
    audit.report("content", entry.node, `its content has ${size} bytes, its entry says ${entry.size}`);
  if (sum.digest("hex") !== entry.hash)
    audit.report("content", entry.node, "its content does not have the hash of its entry");
}

async function checkBlobs(audit: Audit, references: ReadonlyMap<string, number>): Promise<void> {
  const { workspace } = audit;
  const { keys, kv, contents } = workspace;
  for await (const [key, value] of audit.records(keys.allBlobs())) {
    const hash = key.slice(keys.allBlobs().length);
    const record = BLOBS.decode(value, key);
    const counted = references.get(hash) ?? 0;
    if (record.references !== counted)
      audit.report(
        "blob",
        `blob ${hash}`,
        `its record counts ${record.references} references, ${counted} contents name it`,
      );
    if (record.references > 0 && !(await contents.hasBlob(hash)))
      audit.report("blob", `blob ${hash}`, "its file is missing");
  }
  for (const hash of references.keys())
    if (kv.get(keys.blob(hash)) === undefined)
      audit.report("blob", `blob ${hash}`, "contents name it and it has no record");
  for await (const { hash, bytes, writtenAt } of contents.blobFiles()) {
    const record = BLOBS.read(kv, keys.blob(hash));
    if (record && record.bytes !== bytes)
      audit.report("blob", `blob ${hash}`, `its file has ${bytes} bytes, its record says ${record.bytes}`);
    if (!record && writtenAt + BLOB_GRACE_MS < workspace.clock())
      audit.report("blob", `blob ${hash}`, "its file has no record");
  }
}

function checkLayers(audit: Audit, entry: Entry): void {
  const { kv, keys } = audit.workspace;
  const [abstract, overview] = ([0, 1] as const).map(
    (level) => kv.get(keys.layer(entry.node, entry.generation, level)) !== undefined,
  );
  const isWhole =
    entry.kind === "file"
      ? abstract === overview
      : entry.layered
        ? abstract && overview
        : !overview && abstract === Boolean(entry.described);
  if (isWhole) return;
  const there = [abstract && "L0", overview && "L1"].filter(Boolean).join(" and ") || "no layer";
  audit.report("layer", entry.node, `it has ${there}, which is not what its entry says`);
}
