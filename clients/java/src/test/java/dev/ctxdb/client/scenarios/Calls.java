package dev.ctxdb.client.scenarios;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import dev.ctxdb.client.Ctxdb;
import dev.ctxdb.v1.AddGroupMemberRequest;
import dev.ctxdb.v1.AddMessageRequest;
import dev.ctxdb.v1.AddMessagesRequest;
import dev.ctxdb.v1.AddResourceRequest;
import dev.ctxdb.v1.AddSkillRequest;
import dev.ctxdb.v1.CancelTaskRequest;
import dev.ctxdb.v1.CommitSessionRequest;
import dev.ctxdb.v1.CopyNodeRequest;
import dev.ctxdb.v1.CreateAccountRequest;
import dev.ctxdb.v1.CreateBackupRequest;
import dev.ctxdb.v1.CreateGroupRequest;
import dev.ctxdb.v1.CreateKeyRequest;
import dev.ctxdb.v1.CreateMemoryRequest;
import dev.ctxdb.v1.CreateSessionRequest;
import dev.ctxdb.v1.CreateWebhookRequest;
import dev.ctxdb.v1.DeleteAccountRequest;
import dev.ctxdb.v1.DeleteBackupRequest;
import dev.ctxdb.v1.DeleteGroupRequest;
import dev.ctxdb.v1.DeleteMemoryRequest;
import dev.ctxdb.v1.DeleteSessionRequest;
import dev.ctxdb.v1.DeleteSkillRequest;
import dev.ctxdb.v1.DeleteTrashRequest;
import dev.ctxdb.v1.DeleteWebhookRequest;
import dev.ctxdb.v1.DiffVersionsRequest;
import dev.ctxdb.v1.EmptyTrashRequest;
import dev.ctxdb.v1.ExplainAccessRequest;
import dev.ctxdb.v1.FindRequest;
import dev.ctxdb.v1.ForgetRequest;
import dev.ctxdb.v1.GetAbstractRequest;
import dev.ctxdb.v1.GetMemoryHistoryRequest;
import dev.ctxdb.v1.GetMemoryRequest;
import dev.ctxdb.v1.GetOverviewRequest;
import dev.ctxdb.v1.GetSessionContextRequest;
import dev.ctxdb.v1.GetSessionRequest;
import dev.ctxdb.v1.GetSkillRequest;
import dev.ctxdb.v1.GetTaskRequest;
import dev.ctxdb.v1.GetUsageRequest;
import dev.ctxdb.v1.GetWebhookRequest;
import dev.ctxdb.v1.GlobRequest;
import dev.ctxdb.v1.GrantAccessRequest;
import dev.ctxdb.v1.GrepRequest;
import dev.ctxdb.v1.ImportPackRequest;
import dev.ctxdb.v1.LinkNodesRequest;
import dev.ctxdb.v1.ListAuditRequest;
import dev.ctxdb.v1.ListChangesRequest;
import dev.ctxdb.v1.ListChunksRequest;
import dev.ctxdb.v1.ListDeadLettersRequest;
import dev.ctxdb.v1.ListDeliveriesRequest;
import dev.ctxdb.v1.ListEntriesRequest;
import dev.ctxdb.v1.ListGrantsRequest;
import dev.ctxdb.v1.ListGroupsRequest;
import dev.ctxdb.v1.ListKeysRequest;
import dev.ctxdb.v1.ListMemoriesRequest;
import dev.ctxdb.v1.ListMetricsRequest;
import dev.ctxdb.v1.ListRelationsRequest;
import dev.ctxdb.v1.ListSessionsRequest;
import dev.ctxdb.v1.ListTasksRequest;
import dev.ctxdb.v1.ListTrashRequest;
import dev.ctxdb.v1.ListTreeRequest;
import dev.ctxdb.v1.ListUsersRequest;
import dev.ctxdb.v1.ListVersionsRequest;
import dev.ctxdb.v1.MakeDirectoryRequest;
import dev.ctxdb.v1.MoveNodeRequest;
import dev.ctxdb.v1.RecallRequest;
import dev.ctxdb.v1.RecordUsageRequest;
import dev.ctxdb.v1.RefreshResourceRequest;
import dev.ctxdb.v1.RegenerateUserKeyRequest;
import dev.ctxdb.v1.RegisterUserRequest;
import dev.ctxdb.v1.RemoveGroupMemberRequest;
import dev.ctxdb.v1.RemoveNodeRequest;
import dev.ctxdb.v1.RemoveNodesRequest;
import dev.ctxdb.v1.RemoveUserRequest;
import dev.ctxdb.v1.RestoreTrashRequest;
import dev.ctxdb.v1.RestoreVersionRequest;
import dev.ctxdb.v1.RetryDeadLetterRequest;
import dev.ctxdb.v1.RevokeAccessRequest;
import dev.ctxdb.v1.RevokeKeyRequest;
import dev.ctxdb.v1.RotateWebhookSecretRequest;
import dev.ctxdb.v1.SearchRequest;
import dev.ctxdb.v1.SetQuotasRequest;
import dev.ctxdb.v1.SetUserRoleRequest;
import dev.ctxdb.v1.StatNodeRequest;
import dev.ctxdb.v1.TagNodeRequest;
import dev.ctxdb.v1.TestWebhookRequest;
import dev.ctxdb.v1.UnlinkNodesRequest;
import dev.ctxdb.v1.UpdateMemoryRequest;
import dev.ctxdb.v1.UpdateWebhookRequest;
import dev.ctxdb.v1.VerifyBackupRequest;
import dev.ctxdb.v1.WaitProcessedRequest;
import dev.ctxdb.v1.WriteContentRequest;
import dev.ctxdb.v1.WriteFilesRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The operations that are one call, or one list of all pages, each. */
final class Calls {
  private static final Map<String, BiFunction<Ctxdb, JsonObject, JsonElement>> CALLS = new HashMap<>();

  private Calls() {}

  static {
    one("admin.create_account", CreateAccountRequest.getDefaultInstance(), (db, request) -> db.admin().createAccount(request));
    none("admin.list_accounts", db -> db.admin().listAccounts());
    one("admin.delete_account", DeleteAccountRequest.getDefaultInstance(), (db, request) -> db.admin().deleteAccount(request));
    one("admin.register_user", RegisterUserRequest.getDefaultInstance(), (db, request) -> db.admin().registerUser(request));
    one("admin.list_users", ListUsersRequest.getDefaultInstance(), (db, request) -> db.admin().listUsers(request));
    one("admin.remove_user", RemoveUserRequest.getDefaultInstance(), (db, request) -> db.admin().removeUser(request));
    one("admin.set_user_role", SetUserRoleRequest.getDefaultInstance(), (db, request) -> db.admin().setUserRole(request));
    one("admin.set_quotas", SetQuotasRequest.getDefaultInstance(), (db, request) -> db.admin().setQuotas(request));
    one("admin.regenerate_user_key", RegenerateUserKeyRequest.getDefaultInstance(), (db, request) -> db.admin().regenerateUserKey(request));
    one("admin.create_key", CreateKeyRequest.getDefaultInstance(), (db, request) -> db.admin().createKey(request));
    one("admin.list_keys", ListKeysRequest.getDefaultInstance(), (db, request) -> db.admin().listKeys(request));
    one("admin.revoke_key", RevokeKeyRequest.getDefaultInstance(), (db, request) -> db.admin().revokeKey(request));
    one("admin.create_backup", CreateBackupRequest.getDefaultInstance(), (db, request) -> db.admin().createBackup(request));
    none("admin.list_backups", db -> db.admin().listBackups());
    one("admin.verify_backup", VerifyBackupRequest.getDefaultInstance(), (db, request) -> db.admin().verifyBackup(request));
    one("admin.delete_backup", DeleteBackupRequest.getDefaultInstance(), (db, request) -> db.admin().deleteBackup(request));
    one("content.abstract", GetAbstractRequest.getDefaultInstance(), (db, request) -> db.content().abstractOf(request));
    one("content.overview", GetOverviewRequest.getDefaultInstance(), (db, request) -> db.content().overview(request));
    one("content.chunks", ListChunksRequest.getDefaultInstance(), (db, request) -> db.content().chunks(request));
    one("content.history", ListVersionsRequest.getDefaultInstance(), (db, request) -> db.content().history(request));
    one("content.diff", DiffVersionsRequest.getDefaultInstance(), (db, request) -> db.content().diff(request));
    one("content.restore", RestoreVersionRequest.getDefaultInstance(), (db, request) -> db.content().restore(request));
    one("content.write_many", WriteFilesRequest.getDefaultInstance(), (db, request) -> db.content().writeMany(request));
    one("content.write", WriteContentRequest.getDefaultInstance(), (db, request) -> db.content().write(request));
    one("fs.ls", ListEntriesRequest.getDefaultInstance(), (db, request) -> db.fs().ls(request));
    one("fs.tree", ListTreeRequest.getDefaultInstance(), (db, request) -> db.fs().tree(request));
    one("fs.stat", StatNodeRequest.getDefaultInstance(), (db, request) -> db.fs().stat(request));
    one("fs.mkdir", MakeDirectoryRequest.getDefaultInstance(), (db, request) -> db.fs().mkdir(request));
    one("fs.mv", MoveNodeRequest.getDefaultInstance(), (db, request) -> db.fs().mv(request));
    one("fs.cp", CopyNodeRequest.getDefaultInstance(), (db, request) -> db.fs().cp(request));
    one("fs.tag", TagNodeRequest.getDefaultInstance(), (db, request) -> db.fs().tag(request));
    one("fs.rm_many", RemoveNodesRequest.getDefaultInstance(), (db, request) -> db.fs().rmMany(request));
    one("fs.rm", RemoveNodeRequest.getDefaultInstance(), (db, request) -> db.fs().rm(request));
    none("observer.queue", db -> db.observer().queue());
    none("observer.vectordb", db -> db.observer().vectordb());
    none("observer.vlm", db -> db.observer().vlm());
    none("observer.system", db -> db.observer().system());
    one("observer.metrics", ListMetricsRequest.getDefaultInstance(), (db, request) -> db.observer().metrics(request));
    none("observer.members", db -> db.observer().members());
    one("observer.dead_letters", ListDeadLettersRequest.getDefaultInstance(), (db, request) -> db.observer().deadLetters(request));
    one("observer.retry_dead_letter", RetryDeadLetterRequest.getDefaultInstance(), (db, request) -> db.observer().retryDeadLetter(request));
    one("observer.audit", ListAuditRequest.getDefaultInstance(), (db, request) -> db.observer().audit(request));
    none("observer.health", db -> db.observer().health());
    one("packs.import", ImportPackRequest.getDefaultInstance(), (db, request) -> db.packs().importPack(request));
    one("relations.link", LinkNodesRequest.getDefaultInstance(), (db, request) -> db.relations().link(request));
    one("relations.unlink", UnlinkNodesRequest.getDefaultInstance(), (db, request) -> db.relations().unlink(request));
    one("relations.list", ListRelationsRequest.getDefaultInstance(), (db, request) -> db.relations().list(request));
    one("resources.add", AddResourceRequest.getDefaultInstance(), (db, request) -> db.resources().add(request));
    one("resources.refresh", RefreshResourceRequest.getDefaultInstance(), (db, request) -> db.resources().refresh(request));
    one("search.find", FindRequest.getDefaultInstance(), (db, request) -> db.search().find(request));
    one("search.recall", RecallRequest.getDefaultInstance(), (db, request) -> db.search().recall(request));
    one("search.search", SearchRequest.getDefaultInstance(), (db, request) -> db.search().search(request));
    one("search.grep", GrepRequest.getDefaultInstance(), (db, request) -> db.search().grep(request));
    one("search.glob", GlobRequest.getDefaultInstance(), (db, request) -> db.search().glob(request));
    one("memories.create", CreateMemoryRequest.getDefaultInstance(), (db, request) -> db.memories().create(request));
    one("memories.list", ListMemoriesRequest.getDefaultInstance(), (db, request) -> db.memories().list(request));
    one("memories.get", GetMemoryRequest.getDefaultInstance(), (db, request) -> db.memories().get(request));
    one("memories.update", UpdateMemoryRequest.getDefaultInstance(), (db, request) -> db.memories().update(request));
    one("memories.delete", DeleteMemoryRequest.getDefaultInstance(), (db, request) -> db.memories().delete(request));
    one("memories.forget", ForgetRequest.getDefaultInstance(), (db, request) -> db.memories().forget(request));
    one("memories.history", GetMemoryHistoryRequest.getDefaultInstance(), (db, request) -> db.memories().history(request));
    one("trash.list", ListTrashRequest.getDefaultInstance(), (db, request) -> db.trash().list(request));
    one("trash.restore", RestoreTrashRequest.getDefaultInstance(), (db, request) -> db.trash().restore(request));
    one("trash.delete", DeleteTrashRequest.getDefaultInstance(), (db, request) -> db.trash().delete(request));
    one("trash.empty", EmptyTrashRequest.getDefaultInstance(), (db, request) -> db.trash().empty(request));
    one("webhooks.create", CreateWebhookRequest.getDefaultInstance(), (db, request) -> db.webhooks().create(request));
    one("webhooks.get", GetWebhookRequest.getDefaultInstance(), (db, request) -> db.webhooks().get(request));
    one("webhooks.update", UpdateWebhookRequest.getDefaultInstance(), (db, request) -> db.webhooks().update(request));
    one("webhooks.delete", DeleteWebhookRequest.getDefaultInstance(), (db, request) -> db.webhooks().delete(request));
    one("webhooks.rotate_secret", RotateWebhookSecretRequest.getDefaultInstance(), (db, request) -> db.webhooks().rotateSecret(request));
    one("webhooks.test", TestWebhookRequest.getDefaultInstance(), (db, request) -> db.webhooks().test(request));
    one("webhooks.deliveries", ListDeliveriesRequest.getDefaultInstance(), (db, request) -> db.webhooks().deliveries(request));
    none("webhooks.list", db -> db.webhooks().list());
    one("access.explain", ExplainAccessRequest.getDefaultInstance(), (db, request) -> db.access().explain(request));
    one("access.grant", GrantAccessRequest.getDefaultInstance(), (db, request) -> db.access().grant(request));
    one("access.revoke", RevokeAccessRequest.getDefaultInstance(), (db, request) -> db.access().revoke(request));
    one("access.grants", ListGrantsRequest.getDefaultInstance(), (db, request) -> db.access().grants(request));
    one("access.create_group", CreateGroupRequest.getDefaultInstance(), (db, request) -> db.access().createGroup(request));
    one("access.list_groups", ListGroupsRequest.getDefaultInstance(), (db, request) -> db.access().listGroups(request));
    one("access.delete_group", DeleteGroupRequest.getDefaultInstance(), (db, request) -> db.access().deleteGroup(request));
    one("access.add_member", AddGroupMemberRequest.getDefaultInstance(), (db, request) -> db.access().addMember(request));
    one("access.remove_member", RemoveGroupMemberRequest.getDefaultInstance(), (db, request) -> db.access().removeMember(request));
    none("access.who_am_i", db -> db.access().whoAmI());
    one("sessions.create", CreateSessionRequest.getDefaultInstance(), (db, request) -> db.sessions().create(request));
    one("sessions.list", ListSessionsRequest.getDefaultInstance(), (db, request) -> db.sessions().list(request));
    one("sessions.get", GetSessionRequest.getDefaultInstance(), (db, request) -> db.sessions().get(request));
    one("sessions.delete", DeleteSessionRequest.getDefaultInstance(), (db, request) -> db.sessions().delete(request));
    one("sessions.add_message", AddMessageRequest.getDefaultInstance(), (db, request) -> db.sessions().addMessage(request));
    one("sessions.add_messages", AddMessagesRequest.getDefaultInstance(), (db, request) -> db.sessions().addMessages(request));
    one("sessions.used", RecordUsageRequest.getDefaultInstance(), (db, request) -> db.sessions().used(request));
    one("sessions.commit", CommitSessionRequest.getDefaultInstance(), (db, request) -> db.sessions().commit(request));
    one("sessions.context", GetSessionContextRequest.getDefaultInstance(), (db, request) -> db.sessions().context(request));
    one("skills.add", AddSkillRequest.getDefaultInstance(), (db, request) -> db.skills().add(request));
    none("skills.list", db -> db.skills().list());
    one("skills.get", GetSkillRequest.getDefaultInstance(), (db, request) -> db.skills().get(request));
    one("skills.delete", DeleteSkillRequest.getDefaultInstance(), (db, request) -> db.skills().delete(request));
    none("system.status", db -> db.system().status());
    one("system.usage", GetUsageRequest.getDefaultInstance(), (db, request) -> db.system().usage(request));
    one("system.wait", WaitProcessedRequest.getDefaultInstance(), (db, request) -> db.system().await(request));
    one("changes.list", ListChangesRequest.getDefaultInstance(), (db, request) -> db.changes().list(request));
    one("tasks.cancel", CancelTaskRequest.getDefaultInstance(), (db, request) -> db.tasks().cancel(request));
    one("tasks.get", GetTaskRequest.getDefaultInstance(), (db, request) -> db.tasks().get(request));
    one("tasks.list", ListTasksRequest.getDefaultInstance(), (db, request) -> db.tasks().list(request));
    all("fs.ls_all", ListEntriesRequest.getDefaultInstance(), (db, request) -> db.fs().lsAll(request));
    all("fs.tree_all", ListTreeRequest.getDefaultInstance(), (db, request) -> db.fs().treeAll(request));
    all("search.grep_all", GrepRequest.getDefaultInstance(), (db, request) -> db.search().grepAll(request));
    all("memories.list_all", ListMemoriesRequest.getDefaultInstance(), (db, request) -> db.memories().listAll(request));
    all("sessions.list_all", ListSessionsRequest.getDefaultInstance(), (db, request) -> db.sessions().listAll(request));
    all("tasks.list_all", ListTasksRequest.getDefaultInstance(), (db, request) -> db.tasks().listAll(request));
  }

  /** Null where there is no such operation. */
  static JsonElement run(String op, Ctxdb db, JsonObject args) {
    BiFunction<Ctxdb, JsonObject, JsonElement> call = CALLS.get(op);
    return call == null ? null : call.apply(db, args);
  }

  private static void none(String op, Function<Ctxdb, Message> call) {
    CALLS.put(op, (db, args) -> Messages.json(call.apply(db)));
  }

  private static <Q extends Message> void one(String op, Q prototype, BiFunction<Ctxdb, Q, Message> call) {
    CALLS.put(op, (db, args) -> Messages.json(call.apply(db, Messages.request(prototype, args))));
  }

  private static <Q extends Message> void all(String op, Q prototype, BiFunction<Ctxdb, Q, Stream<? extends Message>> call) {
    CALLS.put(op, (db, args) -> {
      JsonArray items = new JsonArray();
      call.apply(db, Messages.request(prototype, args)).forEach(item -> items.add(Messages.json(item)));
      JsonObject result = new JsonObject();
      result.add("items", items);
      return result;
    });
  }
}
