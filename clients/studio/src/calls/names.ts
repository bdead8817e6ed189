import type { DescMethod } from "@bufbuild/protobuf";

/** Name of an operation in the clients; it differs between languages only in style. */
export interface ClientName {
  readonly group: string;
  /** In camelCase. */
  readonly name: string;
}

const GROUPS: Readonly<Record<string, string>> = {
  AccessService: "access",
  AccountService: "admin",
  ChangeService: "changes",
  ContentService: "content",
  FilesystemService: "fs",
  MemoryService: "memories",
  ObserverService: "observer",
  PackService: "packs",
  RelationService: "relations",
  ResourceService: "resources",
  SearchService: "search",
  SessionService: "sessions",
  SkillService: "skills",
  SystemService: "system",
  TaskService: "tasks",
  TrashService: "trash",
  WebhookService: "webhooks",
};

/** Methods whose name differs from the RPC's. */
const NAMES: Readonly<Record<string, string>> = {
  ExplainAccess: "explain",
  GrantAccess: "grant",
  RevokeAccess: "revoke",
  ListGrants: "grants",
  AddGroupMember: "addMember",
  RemoveGroupMember: "removeMember",
  WatchChanges: "watch",
  ListChanges: "list",
  ReadContent: "read",
  DownloadContent: "download",
  GetAbstract: "abstract",
  GetOverview: "overview",
  ListChunks: "chunks",
  ListVersions: "history",
  DiffVersions: "diff",
  RestoreVersion: "restore",
  WriteContent: "write",
  WriteFiles: "writeMany",
  ListEntries: "ls",
  ListTree: "tree",
  StatNode: "stat",
  MakeDirectory: "mkdir",
  MoveNode: "mv",
  CopyNode: "cp",
  TagNode: "tag",
  RemoveNode: "rm",
  GetQueue: "queue",
  GetVectordb: "vectordb",
  GetVlm: "vlm",
  GetSystem: "system",
  ListMembers: "members",
  ListMetrics: "metrics",
  ListDeadLetters: "deadLetters",
  ListAudit: "audit",
  GetHealth: "health",
  CreateMemory: "create",
  ListMemories: "list",
  GetMemory: "get",
  UpdateMemory: "update",
  DeleteMemory: "delete",
  Forget: "forget",
  GetMemoryHistory: "history",
  ExportPack: "export",
  ImportPack: "import",
  LinkNodes: "link",
  UnlinkNodes: "unlink",
  ListRelations: "list",
  AddResource: "add",
  RefreshResource: "refresh",
  CreateSession: "create",
  ListSessions: "list",
  GetSession: "get",
  DeleteSession: "delete",
  RecordUsage: "used",
  CommitSession: "commit",
  GetSessionContext: "context",
  AddSkill: "add",
  ListSkills: "list",
  GetSkill: "get",
  DeleteSkill: "delete",
  GetStatus: "status",
  GetUsage: "usage",
  WaitProcessed: "wait",
  CancelTask: "cancel",
  GetTask: "get",
  ListTasks: "list",
  WatchTask: "watch",
  ListTrash: "list",
  RestoreTrash: "restore",
  DeleteTrash: "delete",
  EmptyTrash: "empty",
  CreateWebhook: "create",
  ListWebhooks: "list",
  GetWebhook: "get",
  UpdateWebhook: "update",
  DeleteWebhook: "delete",
  RotateWebhookSecret: "rotateSecret",
  TestWebhook: "test",
  ListDeliveries: "deliveries",
};

/** Undefined for operations that no client has under this service. */
export function clientNameOf({ parent, name }: DescMethod): ClientName | undefined {
  const group = GROUPS[parent.name];
  return group === undefined
    ? undefined
    : { group, name: NAMES[name] ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}` };
}
