import type { WorkspaceId } from "../../domain/ids.ts";
import type { Pair } from "../backup/packed-records.ts";
import type { KvOp } from "../kv.ts";

/** Records of workspaces in a store that no server uses. Those of NO_WORKSPACE are the server's. */
export interface RecordsPlace {
  /**
   * Records of a workspace and its directory records, in key order; with `prefix`, only keys that begin with
   * it.
   */
  records(workspace: WorkspaceId, prefix?: string): AsyncIterable<Pair[]>;
  /** Writes a bounded number of records durably. Can be repeated. */
  write(workspace: WorkspaceId, ops: readonly KvOp[]): Promise<void>;
}

/** Changes records while they are copied to another store, and keeps their order. */
export type Conversion = (workspace: WorkspaceId, pages: AsyncIterable<Pair[]>) => AsyncIterable<Pair[]>;
