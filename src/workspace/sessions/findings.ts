import type { NodeId } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import { encodeRecord, type RecordKind } from "../../storage/records.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Facts found in an archive and not stored yet: kept if extracting again might give others. Removed at the
 * end of the commit.
 */
export function findingsOf<T>(
  workspace: Workspace,
  session: NodeId,
  archive: number,
  kind: RecordKind<T>,
): T | undefined {
  return kind.read(workspace.kv, workspace.keys.findings(session, archive));
}

/** A finished archive, or one that is gone with its session, stores nothing. */
export function keepFindings(
  workspace: Workspace,
  session: NodeId,
  archive: number,
  findings: unknown,
): Promise<void> {
  return workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    if (isOpen(workspace, draft, session, archive))
      draft.put(draft.keys.findings(session, archive), encodeRecord(findings));
    return () => undefined;
  });
}

function isOpen({ sessions }: Workspace, reader: KvReader, session: NodeId, archive: number): boolean {
  const record = sessions.archiveRecord(reader, session, archive);
  return record !== undefined && !record.remembered;
}
