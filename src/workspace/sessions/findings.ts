import type { NodeId } from "../../domain/node.ts";
import type { KvReader } from "../../storage/kv.ts";
import { encodeRecord, type RecordKind } from "../../storage/records.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Facts extracted from an archive that are not stored as memories yet. They are kept because another
 * extraction might return different facts; removed at the end of the commit.
 */
export function findingsOf<T>(
  workspace: Workspace,
  session: NodeId,
  archive: number,
  kind: RecordKind<T>,
): T | undefined {
  return kind.read(workspace.kv, workspace.keys.findings(session, archive));
}

/** Stores findings, unless the archive is finished or was removed with its session. */
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
