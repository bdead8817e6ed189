import { type DescMessage, fromJson, type JsonValue, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { Client } from "../src/client.ts";
import type { Download } from "../src/downloads.ts";
import * as access from "../src/gen/ctxdb/v1/access_pb.ts";
import * as account from "../src/gen/ctxdb/v1/account_pb.ts";
import * as backup from "../src/gen/ctxdb/v1/backup_pb.ts";
import * as change from "../src/gen/ctxdb/v1/change_pb.ts";
import * as content from "../src/gen/ctxdb/v1/content_pb.ts";
import * as filesystem from "../src/gen/ctxdb/v1/filesystem_pb.ts";
import * as memory from "../src/gen/ctxdb/v1/memory_pb.ts";
import * as observer from "../src/gen/ctxdb/v1/observer_pb.ts";
import * as pack from "../src/gen/ctxdb/v1/pack_pb.ts";
import * as relation from "../src/gen/ctxdb/v1/relation_pb.ts";
import * as resource from "../src/gen/ctxdb/v1/resource_pb.ts";
import * as search from "../src/gen/ctxdb/v1/search_pb.ts";
import * as session from "../src/gen/ctxdb/v1/session_pb.ts";
import * as skill from "../src/gen/ctxdb/v1/skill_pb.ts";
import * as snapshot from "../src/gen/ctxdb/v1/snapshot_pb.ts";
import * as system from "../src/gen/ctxdb/v1/system_pb.ts";
import * as task from "../src/gen/ctxdb/v1/task_pb.ts";
import * as trash from "../src/gen/ctxdb/v1/trash_pb.ts";
import * as webhook from "../src/gen/ctxdb/v1/webhook_pb.ts";
import type { CallOptions } from "../src/options.ts";
import type { UploadOptions } from "../src/upload.ts";
import type { JsonObject } from "./scenario.ts";

/** What differs between Node and a browser: local files. `C` is the client there. */
export interface Platform<C extends Client> {
  upload(client: C, path: string, options: UploadOptions): Promise<resource.UploadFileResponse>;
  addPath(
    client: C,
    path: string,
    request: JsonObject,
    options: UploadOptions,
  ): Promise<resource.AddResourceResponse>;
  /** Stores bytes under a name for later uploads; returns their size and SHA-256 in hexadecimal. */
  keep(name: string | undefined, bytes: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }>;
}

/** A call of a step: its JSON arguments and options → its JSON result. */
export type Op<C extends Client> = (
  client: C,
  args: JsonObject,
  options: UploadOptions,
) => Promise<JsonValue>;

/** The JSON of a message with the names of proto. */
const jsonOf = <D extends DescMessage>(schema: D, message: MessageShape<D>): JsonValue =>
  toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });

/** The fields of a request out of JSON with the names of proto. */
export function fieldsOf<D extends DescMessage>(
  schema: D,
  args: JsonObject,
): Omit<MessageShape<D>, "$typeName" | "$unknown"> {
  const { $typeName: _, ...fields } = fromJson(schema, args) as MessageShape<D> & { $typeName: string };
  return fields as Omit<MessageShape<D>, "$typeName" | "$unknown">;
}

function unary<I extends DescMessage, O extends DescMessage>(
  input: I,
  output: O,
  call: (
    client: Client,
    request: Omit<MessageShape<I>, "$typeName" | "$unknown">,
    options: CallOptions,
  ) => Promise<MessageShape<O>>,
): Op<Client> {
  return async (client, args, options) => jsonOf(output, await call(client, fieldsOf(input, args), options));
}

async function collected(items: AsyncIterable<JsonValue>): Promise<JsonValue> {
  const all: JsonValue[] = [];
  for await (const item of items) all.push(item);
  return { items: all };
}

async function* mapped<T>(items: AsyncIterable<T>, map: (item: T) => JsonValue): AsyncGenerator<JsonValue> {
  for await (const item of items) yield map(item);
}

const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;
const page = (items: string, values: JsonValue, next: string | undefined): JsonValue => ({
  [items]: values,
  ...(next !== undefined && { next_cursor: next }),
});
const targetOf = (args: JsonObject) => args.target_uri as string | string[] | undefined;
const without = ({ target_uri: _, ...args }: JsonObject): JsonObject => args;

const ADMIN: Record<string, Op<Client>> = {
  "admin.create_account": unary(
    account.CreateAccountRequestSchema,
    account.CreateAccountResponseSchema,
    (c, r, o) => c.admin.createAccount(r, o),
  ),
  "admin.list_accounts": async (c, _, o) => ({
    accounts: (await c.admin.listAccounts(o)).map((one) => jsonOf(account.AccountSchema, one)),
  }),
  "admin.delete_account": async (c, args, o) => {
    await c.admin.deleteAccount(fieldsOf(account.DeleteAccountRequestSchema, args), o);
    return {};
  },
  "admin.register_user": unary(
    account.RegisterUserRequestSchema,
    account.RegisterUserResponseSchema,
    (c, r, o) => c.admin.registerUser(r, o),
  ),
  "admin.list_users": async (c, args, o) => ({
    users: (await c.admin.listUsers(fieldsOf(account.ListUsersRequestSchema, args), o)).map((one) =>
      jsonOf(account.UserSchema, one),
    ),
  }),
  "admin.remove_user": async (c, args, o) => {
    await c.admin.removeUser(fieldsOf(account.RemoveUserRequestSchema, args), o);
    return {};
  },
  "admin.set_user_role": unary(
    account.SetUserRoleRequestSchema,
    account.SetUserRoleResponseSchema,
    (c, r, o) => c.admin.setUserRole(r, o),
  ),
  "admin.set_quotas": unary(account.SetQuotasRequestSchema, account.SetQuotasResponseSchema, (c, r, o) =>
    c.admin.setQuotas(r, o),
  ),
  "admin.regenerate_user_key": async (c, args, o) => ({
    user_key: await c.admin.regenerateUserKey(fieldsOf(account.RegenerateUserKeyRequestSchema, args), o),
  }),
  "admin.create_key": unary(account.CreateKeyRequestSchema, account.CreateKeyResponseSchema, (c, r, o) =>
    c.admin.createKey(r, o),
  ),
  "admin.list_keys": async (c, args, o) => ({
    keys: (await c.admin.listKeys(fieldsOf(account.ListKeysRequestSchema, args), o)).map((one) =>
      jsonOf(account.ApiKeySchema, one),
    ),
  }),
  "admin.revoke_key": async (c, args, o) => {
    await c.admin.revokeKey(fieldsOf(account.RevokeKeyRequestSchema, args), o);
    return {};
  },
  "admin.create_backup": unary(
    backup.CreateBackupRequestSchema,
    backup.CreateBackupResponseSchema,
    (c, r, o) => c.admin.createBackup(r, o),
  ),
  "admin.list_backups": async (c, args, o) => ({
    backups: (await c.admin.listBackups(fieldsOf(backup.ListBackupsRequestSchema, args), o)).map((one) =>
      jsonOf(backup.BackupSchema, one),
    ),
  }),
  "admin.verify_backup": unary(
    backup.VerifyBackupRequestSchema,
    backup.VerifyBackupResponseSchema,
    (c, r, o) => c.admin.verifyBackup(r, o),
  ),
  "admin.delete_backup": unary(
    backup.DeleteBackupRequestSchema,
    backup.DeleteBackupResponseSchema,
    (c, r, o) => c.admin.deleteBackup(r, o),
  ),
};

const TREE: Record<string, Op<Client>> = {
  "fs.ls": async (c, args, o) => {
    if (args.simple === true) {
      const { uris, nextCursor } = await c.fs.uris(fieldsOf(filesystem.ListEntriesRequestSchema, args), o);
      return page("entries", uris, nextCursor);
    }
    const { entries, nextCursor } = await c.fs.ls(fieldsOf(filesystem.ListEntriesRequestSchema, args), o);
    return page("entries", asJson(entries), nextCursor);
  },
  "fs.ls_all": (c, args, o) =>
    collected(mapped(c.fs.lsAll(fieldsOf(filesystem.ListEntriesRequestSchema, args), o), asJson)),
  "fs.tree": async (c, args, o) => {
    const { entries, nextCursor } = await c.fs.tree(fieldsOf(filesystem.ListTreeRequestSchema, args), o);
    return page("entries", asJson(entries), nextCursor);
  },
  "fs.tree_all": (c, args, o) =>
    collected(mapped(c.fs.treeAll(fieldsOf(filesystem.ListTreeRequestSchema, args), o), asJson)),
  "fs.stat": unary(filesystem.StatNodeRequestSchema, filesystem.StatNodeResponseSchema, (c, r, o) =>
    c.fs.stat(r, o),
  ),
  "fs.mkdir": unary(
    filesystem.MakeDirectoryRequestSchema,
    filesystem.MakeDirectoryResponseSchema,
    (c, r, o) => c.fs.mkdir(r, o),
  ),
  "fs.mv": unary(filesystem.MoveNodeRequestSchema, filesystem.MoveNodeResponseSchema, (c, r, o) =>
    c.fs.mv(r, o),
  ),
  "fs.cp": unary(filesystem.CopyNodeRequestSchema, filesystem.CopyNodeResponseSchema, (c, r, o) =>
    c.fs.cp(r, o),
  ),
  "fs.tag": unary(filesystem.TagNodeRequestSchema, filesystem.TagNodeResponseSchema, (c, r, o) =>
    c.fs.tag(r, o),
  ),
  "fs.rm": unary(filesystem.RemoveNodeRequestSchema, filesystem.RemoveNodeResponseSchema, (c, r, o) =>
    c.fs.rm(r, o),
  ),
  "fs.rm_many": unary(
    filesystem.RemoveNodesRequestSchema,
    filesystem.RemoveNodesResponseSchema,
    (c, { uris = [], ...r }, o) => c.fs.rmMany({ ...r, uris }, o),
  ),
  "content.read": async (c, args, o) => ({
    ...(await c.content.read(fieldsOf(content.ReadContentRequestSchema, args), o)),
  }),
  "content.abstract": async (c, args, o) => ({
    abstract: await c.content.abstract(fieldsOf(content.GetAbstractRequestSchema, args), o),
  }),
  "content.overview": async (c, args, o) => ({
    overview: await c.content.overview(fieldsOf(content.GetOverviewRequestSchema, args), o),
  }),
  "content.chunks": unary(content.ListChunksRequestSchema, content.ListChunksResponseSchema, (c, r, o) =>
    c.content.chunks(r, o),
  ),
  "content.history": unary(content.ListVersionsRequestSchema, content.ListVersionsResponseSchema, (c, r, o) =>
    c.content.history(r, o),
  ),
  "content.diff": unary(content.DiffVersionsRequestSchema, content.DiffVersionsResponseSchema, (c, r, o) =>
    c.content.diff(r, o),
  ),
  "content.restore": unary(
    content.RestoreVersionRequestSchema,
    content.RestoreVersionResponseSchema,
    (c, { version = 0, ...r }, o) => c.content.restore({ ...r, version }, o),
  ),
  "content.write": unary(
    content.WriteContentRequestSchema,
    content.WriteContentResponseSchema,
    (c, { content: text = "", ...r }, o) => c.content.write({ ...r, content: text }, o),
  ),
  "content.write_many": unary(
    content.WriteFilesRequestSchema,
    content.WriteFilesResponseSchema,
    (c, { files = [], ...r }, o) => c.content.writeMany({ ...r, files }, o),
  ),
  "relations.link": async (c, { to_uris, ...args }, o) => {
    await c.relations.link(
      { ...fieldsOf(relation.LinkNodesRequestSchema, args), toUris: to_uris as string[] | undefined },
      o,
    );
    return {};
  },
  "relations.unlink": async (c, args, o) => {
    await c.relations.unlink(fieldsOf(relation.UnlinkNodesRequestSchema, args), o);
    return {};
  },
  "relations.list": async (c, args, o) => ({
    relations: (await c.relations.list(fieldsOf(relation.ListRelationsRequestSchema, args), o)).map((one) =>
      jsonOf(relation.RelationSchema, one),
    ),
  }),
};

const SEARCH: Record<string, Op<Client>> = {
  "search.find": async (c, args, o) => {
    const { targetUri: _, ...request } = fieldsOf(search.FindRequestSchema, without(args));
    return jsonOf(
      search.FindResponseSchema,
      await c.search.find({ ...request, targetUri: targetOf(args) }, o),
    );
  },
  "search.search": async (c, args, o) => {
    const { targetUri: _, ...request } = fieldsOf(search.SearchRequestSchema, without(args));
    return jsonOf(
      search.SearchResponseSchema,
      await c.search.search({ ...request, targetUri: targetOf(args) }, o),
    );
  },
  "search.recall": async (c, args, o) => {
    const { targetUri: _, ...request } = fieldsOf(search.RecallRequestSchema, without(args));
    return jsonOf(
      search.RecallResponseSchema,
      await c.search.recall({ ...request, targetUri: targetOf(args) }, o),
    );
  },
  "search.grep": unary(search.GrepRequestSchema, search.GrepResponseSchema, (c, r, o) => c.search.grep(r, o)),
  "search.grep_all": (c, args, o) =>
    collected(
      mapped(c.search.grepAll(fieldsOf(search.GrepRequestSchema, args), o), (one) =>
        jsonOf(search.GrepMatchSchema, one),
      ),
    ),
  "search.glob": unary(search.GlobRequestSchema, search.GlobResponseSchema, (c, r, o) => c.search.glob(r, o)),
  "search.glob_all": (c, args, o) => collected(c.search.globAll(fieldsOf(search.GlobRequestSchema, args), o)),
};

const MEMORIES: Record<string, Op<Client>> = {
  "memories.create": unary(memory.CreateMemoryRequestSchema, memory.CreateMemoryResponseSchema, (c, r, o) =>
    c.memories.create(r, o),
  ),
  "memories.list": unary(memory.ListMemoriesRequestSchema, memory.ListMemoriesResponseSchema, (c, r, o) =>
    c.memories.list(r, o),
  ),
  "memories.list_all": (c, args, o) =>
    collected(
      mapped(c.memories.listAll(fieldsOf(memory.ListMemoriesRequestSchema, args), o), (one) =>
        jsonOf(memory.MemorySchema, one),
      ),
    ),
  "memories.get": unary(memory.GetMemoryRequestSchema, memory.GetMemoryResponseSchema, (c, r, o) =>
    c.memories.get(r, o),
  ),
  "memories.update": unary(memory.UpdateMemoryRequestSchema, memory.UpdateMemoryResponseSchema, (c, r, o) =>
    c.memories.update(r, o),
  ),
  "memories.delete": unary(memory.DeleteMemoryRequestSchema, memory.DeleteMemoryResponseSchema, (c, r, o) =>
    c.memories.delete(r, o),
  ),
  "memories.forget": unary(memory.ForgetRequestSchema, memory.ForgetResponseSchema, (c, r, o) =>
    c.memories.forget(r, o),
  ),
  "memories.history": unary(
    memory.GetMemoryHistoryRequestSchema,
    memory.GetMemoryHistoryResponseSchema,
    (c, r, o) => c.memories.history(r, o),
  ),
};

const SESSIONS: Record<string, Op<Client>> = {
  "sessions.create": unary(
    session.CreateSessionRequestSchema,
    session.CreateSessionResponseSchema,
    (c, r, o) => c.sessions.create(r, o),
  ),
  "sessions.list": unary(session.ListSessionsRequestSchema, session.ListSessionsResponseSchema, (c, r, o) =>
    c.sessions.list(r, o),
  ),
  "sessions.list_all": (c, args, o) =>
    collected(
      mapped(c.sessions.listAll(fieldsOf(session.ListSessionsRequestSchema, args), o), (one) =>
        jsonOf(session.SessionSummarySchema, one),
      ),
    ),
  "sessions.get": unary(session.GetSessionRequestSchema, session.GetSessionResponseSchema, (c, r, o) =>
    c.sessions.get(r, o),
  ),
  "sessions.delete": unary(
    session.DeleteSessionRequestSchema,
    session.DeleteSessionResponseSchema,
    (c, r, o) => c.sessions.delete(r, o),
  ),
  "sessions.add_message": unary(
    session.AddMessageRequestSchema,
    session.AddMessageResponseSchema,
    (c, r, o) => c.sessions.addMessage(r, o),
  ),
  "sessions.add_messages": unary(
    session.AddMessagesRequestSchema,
    session.AddMessagesResponseSchema,
    (c, r, o) => c.sessions.addMessages(r, o),
  ),
  "sessions.used": unary(session.RecordUsageRequestSchema, session.RecordUsageResponseSchema, (c, r, o) =>
    c.sessions.used(r, o),
  ),
  "sessions.commit": unary(
    session.CommitSessionRequestSchema,
    session.CommitSessionResponseSchema,
    (c, r, o) => c.sessions.commit(r, o),
  ),
  "sessions.context": unary(
    session.GetSessionContextRequestSchema,
    session.GetSessionContextResponseSchema,
    (c, r, o) => c.sessions.context(r, o),
  ),
  "changes.list": unary(change.ListChangesRequestSchema, change.ListChangesResponseSchema, (c, r, o) =>
    c.changes.list(r, o),
  ),
  "snapshots.create": unary(snapshot.CreateSnapshotRequestSchema, snapshot.SnapshotSchema, (c, r, o) =>
    c.snapshots.create(r, o),
  ),
  "snapshots.list": unary(
    snapshot.ListSnapshotsRequestSchema,
    snapshot.ListSnapshotsResponseSchema,
    (c, r, o) => c.snapshots.list(r, o),
  ),
  "snapshots.get": unary(snapshot.GetSnapshotRequestSchema, snapshot.SnapshotSchema, (c, r, o) =>
    c.snapshots.get(r, o),
  ),
  "snapshots.entries": unary(
    snapshot.ListSnapshotEntriesRequestSchema,
    snapshot.ListSnapshotEntriesResponseSchema,
    (c, r, o) => c.snapshots.entries(r, o),
  ),
  "snapshots.diff": unary(
    snapshot.DiffSnapshotsRequestSchema,
    snapshot.DiffSnapshotsResponseSchema,
    (c, r, o) => c.snapshots.diff(r, o),
  ),
  "snapshots.restore": unary(
    snapshot.RestoreSnapshotRequestSchema,
    snapshot.RestoreSnapshotResponseSchema,
    (c, r, o) => c.snapshots.restore(r, o),
  ),
  "snapshots.delete": unary(
    snapshot.DeleteSnapshotRequestSchema,
    snapshot.DeleteSnapshotResponseSchema,
    (c, r, o) => c.snapshots.delete(r, o),
  ),
  "trash.list": unary(trash.ListTrashRequestSchema, trash.ListTrashResponseSchema, (c, r, o) =>
    c.trash.list(r, o),
  ),
  "trash.restore": unary(trash.RestoreTrashRequestSchema, trash.RestoreTrashResponseSchema, (c, r, o) =>
    c.trash.restore(r, o),
  ),
  "trash.delete": unary(trash.DeleteTrashRequestSchema, trash.DeleteTrashResponseSchema, (c, r, o) =>
    c.trash.delete(r, o),
  ),
  "trash.empty": unary(trash.EmptyTrashRequestSchema, trash.EmptyTrashResponseSchema, (c, r, o) =>
    c.trash.empty(r, o),
  ),
  "webhooks.create": unary(
    webhook.CreateWebhookRequestSchema,
    webhook.CreateWebhookResponseSchema,
    (c, r, o) => c.webhooks.create(r, o),
  ),
  "webhooks.list": async (c, _, o) => ({
    webhooks: (await c.webhooks.list(o)).map((one) => jsonOf(webhook.WebhookSchema, one)),
  }),
  "webhooks.get": unary(webhook.GetWebhookRequestSchema, webhook.WebhookSchema, (c, r, o) =>
    c.webhooks.get(r, o),
  ),
  "webhooks.update": unary(webhook.UpdateWebhookRequestSchema, webhook.WebhookSchema, (c, r, o) =>
    c.webhooks.update(r, o),
  ),
  "webhooks.delete": unary(
    webhook.DeleteWebhookRequestSchema,
    webhook.DeleteWebhookResponseSchema,
    (c, r, o) => c.webhooks.delete(r, o),
  ),
  "webhooks.rotate_secret": unary(
    webhook.RotateWebhookSecretRequestSchema,
    webhook.RotateWebhookSecretResponseSchema,
    (c, r, o) => c.webhooks.rotateSecret(r, o),
  ),
  "webhooks.test": unary(webhook.TestWebhookRequestSchema, webhook.WebhookDeliverySchema, (c, r, o) =>
    c.webhooks.test(r, o),
  ),
  "webhooks.deliveries": async (c, args, o) => ({
    deliveries: (await c.webhooks.deliveries(fieldsOf(webhook.ListDeliveriesRequestSchema, args), o)).map(
      (one) => jsonOf(webhook.WebhookDeliverySchema, one),
    ),
  }),
  "access.who_am_i": async (c, _, o) => jsonOf(access.WhoAmIResponseSchema, await c.access.whoAmI(o)),
  "access.explain": unary(access.ExplainAccessRequestSchema, access.ExplainAccessResponseSchema, (c, r, o) =>
    c.access.explain(r, o),
  ),
  "access.grant": unary(access.GrantAccessRequestSchema, access.GrantAccessResponseSchema, (c, r, o) =>
    c.access.grant(r, o),
  ),
  "access.revoke": unary(access.RevokeAccessRequestSchema, access.RevokeAccessResponseSchema, (c, r, o) =>
    c.access.revoke(r, o),
  ),
  "access.grants": unary(access.ListGrantsRequestSchema, access.ListGrantsResponseSchema, (c, r, o) =>
    c.access.grants(r, o),
  ),
  "access.create_group": unary(access.CreateGroupRequestSchema, access.CreateGroupResponseSchema, (c, r, o) =>
    c.access.createGroup(r, o),
  ),
  "access.list_groups": async (c, args, o) => ({
    groups: (await c.access.listGroups(fieldsOf(access.ListGroupsRequestSchema, args), o)).map((one) =>
      jsonOf(access.GroupSchema, one),
    ),
  }),
  "access.delete_group": unary(access.DeleteGroupRequestSchema, access.DeleteGroupResponseSchema, (c, r, o) =>
    c.access.deleteGroup(r, o),
  ),
  "access.add_member": unary(
    access.AddGroupMemberRequestSchema,
    access.AddGroupMemberResponseSchema,
    (c, r, o) => c.access.addMember(r, o),
  ),
  "access.remove_member": unary(
    access.RemoveGroupMemberRequestSchema,
    access.RemoveGroupMemberResponseSchema,
    (c, r, o) => c.access.removeMember(r, o),
  ),
  "tasks.get": unary(task.GetTaskRequestSchema, task.TaskSchema, (c, r, o) => c.tasks.get(r, o)),
  "tasks.cancel": unary(task.CancelTaskRequestSchema, task.TaskSchema, (c, r, o) => c.tasks.cancel(r, o)),
  "tasks.list": unary(task.ListTasksRequestSchema, task.ListTasksResponseSchema, (c, r, o) =>
    c.tasks.list(r, o),
  ),
  "tasks.list_all": (c, args, o) =>
    collected(
      mapped(c.tasks.listAll(fieldsOf(task.ListTasksRequestSchema, args), o), (one) =>
        jsonOf(task.TaskSchema, one),
      ),
    ),
  "tasks.wait": async (c, args, o) => {
    const progress: JsonValue[] = [];
    const ended = await c.tasks.wait(fieldsOf(task.GetTaskRequestSchema, args), {
      ...o,
      onProgress: (at) => progress.push({ ...at }),
    });
    return { task: jsonOf(task.TaskSchema, ended), progress };
  },
};

const REST: Record<string, Op<Client>> = {
  "skills.add": async (c, { data, ...args }, o) => {
    const { data: _, ...request } = fieldsOf(skill.AddSkillRequestSchema, args);
    return jsonOf(skill.AddSkillResponseSchema, await c.skills.add({ ...request, data }, o));
  },
  "skills.list": async (c, _, o) => ({
    skills: (await c.skills.list(o)).map((one) => jsonOf(skill.SkillSummarySchema, one)),
  }),
  "skills.get": unary(skill.GetSkillRequestSchema, skill.GetSkillResponseSchema, (c, r, o) =>
    c.skills.get(r, o),
  ),
  "skills.delete": unary(skill.DeleteSkillRequestSchema, skill.DeleteSkillResponseSchema, (c, r, o) =>
    c.skills.delete(r, o),
  ),
  "resources.add": unary(resource.AddResourceRequestSchema, resource.AddResourceResponseSchema, (c, r, o) =>
    c.resources.add(r, o),
  ),
  "resources.refresh": unary(
    resource.RefreshResourceRequestSchema,
    resource.AddResourceResponseSchema,
    (c, r, o) => c.resources.refresh(r, o),
  ),
  "resources.schedule": unary(
    resource.ScheduleRefreshRequestSchema,
    resource.RefreshScheduleSchema,
    (c, r, o) => c.resources.schedule(r, o),
  ),
  "resources.schedules": async (c, args, o) => ({
    schedules: (
      await c.resources.schedules(fromJson(resource.ListRefreshSchedulesRequestSchema, args), o)
    ).map((one) => jsonOf(resource.RefreshScheduleSchema, one)),
  }),
  "resources.run_schedule": unary(
    resource.RunRefreshScheduleRequestSchema,
    resource.RefreshScheduleSchema,
    (c, r, o) => c.resources.runSchedule(r, o),
  ),
  "resources.delete_schedule": unary(
    resource.DeleteRefreshScheduleRequestSchema,
    resource.DeleteRefreshScheduleResponseSchema,
    (c, r, o) => c.resources.deleteSchedule(r, o),
  ),
  "packs.import": unary(pack.ImportPackRequestSchema, pack.ImportPackResponseSchema, (c, r, o) =>
    c.packs.import(r, o),
  ),
  "system.status": async (c, _, o) => jsonOf(system.GetStatusResponseSchema, await c.system.status(o)),
  "system.usage": unary(system.GetUsageRequestSchema, system.GetUsageResponseSchema, (c, r, o) =>
    c.system.usage(r, o),
  ),
  "system.wait": unary(system.WaitProcessedRequestSchema, system.WaitProcessedResponseSchema, (c, r, o) =>
    c.system.wait(r, o),
  ),
  "system.health": async (c, _, o) => ({ healthy: await c.system.health(o) }),
  "observer.queue": async (c, _, o) => jsonOf(observer.ComponentStatusSchema, await c.observer.queue(o)),
  "observer.vectordb": async (c, _, o) =>
    jsonOf(observer.ComponentStatusSchema, await c.observer.vectordb(o)),
  "observer.vlm": async (c, _, o) => jsonOf(observer.ComponentStatusSchema, await c.observer.vlm(o)),
  "observer.system": async (c, _, o) => jsonOf(observer.GetSystemResponseSchema, await c.observer.system(o)),
  "observer.metrics": unary(
    observer.ListMetricsRequestSchema,
    observer.ListMetricsResponseSchema,
    (c, r, o) => c.observer.metrics(r, o),
  ),
  "observer.members": async (c, _, o) =>
    jsonOf(observer.ListMembersResponseSchema, await c.observer.members(o)),
  "observer.drain_member": unary(
    observer.DrainMemberRequestSchema,
    observer.DrainMemberResponseSchema,
    (c, r, o) => c.observer.drainMember(r, o),
  ),
  "observer.move_account": unary(
    observer.MoveAccountRequestSchema,
    observer.MoveAccountResponseSchema,
    (c, r, o) => c.observer.moveAccount(r, o),
  ),
  "observer.dead_letters": unary(
    observer.ListDeadLettersRequestSchema,
    observer.ListDeadLettersResponseSchema,
    (c, r, o) => c.observer.deadLetters(r, o),
  ),
  "observer.retry_dead_letter": unary(
    observer.RetryDeadLetterRequestSchema,
    observer.RetryDeadLetterResponseSchema,
    (c, r, o) => c.observer.retryDeadLetter(r, o),
  ),
  "observer.audit": unary(observer.ListAuditRequestSchema, observer.ListAuditResponseSchema, (c, r, o) =>
    c.observer.audit(r, o),
  ),
  "observer.health": async (c, _, o) => ({ healthy: await c.observer.health(o) }),
};

/** Every op of the list: what needs local files goes through the platform. */
export function opsOf<C extends Client>(platform: Platform<C>): Readonly<Record<string, Op<C>>> {
  const kept = async (
    { contentType, bytes }: Download,
    name: JsonValue | undefined,
    { onSent }: UploadOptions,
  ) => ({
    content_type: contentType,
    ...(await platform.keep(name as string | undefined, counted(bytes, onSent))),
  });
  return {
    ...ADMIN,
    ...TREE,
    ...SEARCH,
    ...MEMORIES,
    ...SESSIONS,
    ...REST,
    "resources.upload": async (c, { path }, o) =>
      jsonOf(resource.UploadFileResponseSchema, await platform.upload(c, String(path), o)),
    "resources.add_path": async (c, { path, ...args }, o) =>
      jsonOf(resource.AddResourceResponseSchema, await platform.addPath(c, String(path), args, o)),
    "content.download": async (c, { to, ...args }, o) =>
      kept(await c.content.download(fieldsOf(content.DownloadContentRequestSchema, args), o), to, o),
    "packs.export": async (c, { to, ...args }, o) =>
      kept(await c.packs.export(fieldsOf(pack.ExportPackRequestSchema, args), o), to, o),
  };
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onCount: ((count: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    onCount?.(count);
    yield piece;
  }
}
