import type { WorkspaceId } from "../../domain/ids.ts";
import type { Pair } from "../backup/packed-records.ts";
import type { KvOp } from "../kv.ts";

/** Where the records of workspaces are, while no server uses them. NO_WORKSPACE has those of the server. */
export interface RecordsPlace {
  /** The records of a workspace, with those of the directory, in key order. Only those below `prefix`, if given. */
  records(workspace: WorkspaceId, prefix?: string): AsyncIterable<Pair[]>;
  /** Writes a bounded number of records durably. Can be repeated. */
  write(workspace: WorkspaceId, ops: readonly KvOp[]): Promise<void>;
}

/** Changes records while they are copied to another place, and keeps their order. */
export type Conversion = (workspace: WorkspaceId, pages: AsyncIterable<Pair[]>) => AsyncIterable<Pair[]>;
