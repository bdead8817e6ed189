import { SnapshotService } from "../../../gen/ctxdb/v1/snapshot_pb.ts";
import type { Cursors } from "../../service/cursors.ts";
import { createSnapshot } from "../../service/snapshot/create-snapshot.ts";
import { deleteSnapshot } from "../../service/snapshot/delete-snapshot.ts";
import { diffSnapshots } from "../../service/snapshot/diff-snapshots.ts";
import { getSnapshot } from "../../service/snapshot/get-snapshot.ts";
import { listSnapshotEntries } from "../../service/snapshot/list-snapshot-entries.ts";
import { listSnapshots } from "../../service/snapshot/list-snapshots.ts";
import { type RestoreDeps, restoreSnapshot } from "../../service/snapshot/restore-snapshot.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = SnapshotService;

export const snapshotOperations = (deps: RestoreDeps & { readonly cursors: Cursors }): Operation[] => [
  unary(method.createSnapshot, (call, request) => createSnapshot(deps, call, request)),
  unary(method.listSnapshots, (call, request) => listSnapshots(deps, call, request)),
  unary(method.getSnapshot, (call, request) => getSnapshot(deps, call, request)),
  unary(method.listSnapshotEntries, (call, request) => listSnapshotEntries(deps, call, request)),
  unary(method.diffSnapshots, (call, request) => diffSnapshots(deps, call, request)),
  unary(method.restoreSnapshot, (call, request) => restoreSnapshot(deps, call, request)),
  unary(method.deleteSnapshot, (call, request) => deleteSnapshot(deps, call, request)),
];
