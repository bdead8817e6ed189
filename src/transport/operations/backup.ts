import { BackupService } from "../../../gen/ctxdb/v1/backup_pb.ts";
import { checkOperator } from "../../domain/permission.ts";
import { type BackupDeps, createBackup } from "../../service/backup/create-backup.ts";
import { deleteBackup } from "../../service/backup/delete-backup.ts";
import { listBackups } from "../../service/backup/list-backups.ts";
import { verifyBackup } from "../../service/backup/verify-backup.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = BackupService;

export const backupOperations = (deps: BackupDeps): Operation[] => [
  unary(
    method.createBackup,
    async (call, request) => ({ backup: await createBackup(deps, call, request) }),
    checkOperator,
  ),
  unary(
    method.listBackups,
    async (call, request) => ({ backups: await listBackups(deps, call, request) }),
    checkOperator,
  ),
  unary(method.verifyBackup, (call, request) => verifyBackup(deps, call, request), checkOperator),
  unary(method.deleteBackup, (call, request) => deleteBackup(deps, call, request), checkOperator),
];
