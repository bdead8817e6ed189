import type { Entry } from "../../domain/node.ts";
import { versionOfKey } from "../keys.ts";
import { ENTRIES, VERSIONS } from "../records.ts";
import { entryOfVersion, versionOf } from "../tree/versions.ts";
import type { Audit } from "./findings.ts";

/** Verifies versions by entry and by record, with their contents. */
export async function verifyVersions(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  for await (const [key, value] of audit.records(keys.allEntries())) {
    const entry = ENTRIES.decode(value, key);
    if (entry.history && audit.placeOf(entry.node) === "reachable") checkHistory(audit, entry);
  }
  for await (const [key, value] of audit.records(keys.allVersions())) {
    VERSIONS.decode(value, key);
    const [node, version] = versionOfKey(key);
    const place = audit.placeOf(node);
    if (place === "pending" || audit.isPurging(node)) continue;
    const entry = place === "lost" ? undefined : audit.workspace.entryOf(node)?.entry;
    const isKnown = entry?.history && version >= entry.history.first && version < versionOf(entry);
    if (!isKnown) audit.report("version", node, `version ${version} belongs to nothing`);
  }
}

function checkHistory(audit: Audit, entry: Entry): void {
  const { first = 1, bytes = 0 } = entry.history ?? {};
  let found = 0;
  for (let version = first; version < versionOf(entry); version++) {
    const { kv, keys } = audit.workspace;
    const earlier = entryOfVersion(kv, keys, entry, version);
    if (!earlier) audit.report("version", entry.node, `the record of version ${version} is missing`);
    else {
      checkSize(audit, earlier, version);
      found += earlier.size;
    }
  }
  if (found !== bytes)
    audit.report("version", entry.node, `its versions have ${found} bytes, its entry says ${bytes}`);
}

function checkSize(audit: Audit, entry: Entry, version: number): void {
  const stored = audit.workspace.contents.sizeOf(entry);
  if (stored === undefined)
    audit.report("version", entry.node, `the content of version ${version} is missing`);
  else if (stored !== entry.size)
    audit.report(
      "version",
      entry.node,
      `the content of version ${version} has ${stored} bytes, its record says ${entry.size}`,
    );
}
