import type { DescService } from "@bufbuild/protobuf";
import { AccessService } from "../../gen/ctxdb/v1/access_pb.ts";
import { AccountService } from "../../gen/ctxdb/v1/account_pb.ts";
import { BackupService } from "../../gen/ctxdb/v1/backup_pb.ts";
import { ChangeService } from "../../gen/ctxdb/v1/change_pb.ts";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../gen/ctxdb/v1/filesystem_pb.ts";
import { MemoryService } from "../../gen/ctxdb/v1/memory_pb.ts";
import { ObserverService } from "../../gen/ctxdb/v1/observer_pb.ts";
import { PackService } from "../../gen/ctxdb/v1/pack_pb.ts";
import { RelationService } from "../../gen/ctxdb/v1/relation_pb.ts";
import { ResourceService } from "../../gen/ctxdb/v1/resource_pb.ts";
import { SearchService } from "../../gen/ctxdb/v1/search_pb.ts";
import { SessionService } from "../../gen/ctxdb/v1/session_pb.ts";
import { SkillService } from "../../gen/ctxdb/v1/skill_pb.ts";
import { SnapshotService } from "../../gen/ctxdb/v1/snapshot_pb.ts";
import { SystemService } from "../../gen/ctxdb/v1/system_pb.ts";
import { TaskService } from "../../gen/ctxdb/v1/task_pb.ts";
import { TrashService } from "../../gen/ctxdb/v1/trash_pb.ts";
import { WebhookService } from "../../gen/ctxdb/v1/webhook_pb.ts";

/** All services of the API. */
export const SERVICES: readonly DescService[] = [
  AccessService,
  AccountService,
  BackupService,
  ChangeService,
  ContentService,
  FilesystemService,
  MemoryService,
  ObserverService,
  PackService,
  RelationService,
  ResourceService,
  SearchService,
  SessionService,
  SkillService,
  SnapshotService,
  SystemService,
  TaskService,
  TrashService,
  WebhookService,
];
