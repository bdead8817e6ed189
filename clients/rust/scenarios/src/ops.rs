use crate::messages::Messages;
use ctxdb::{prost_types::Struct, v1::*, Ctxdb, Download, Progress, UploadOptions};
use futures_util::TryStreamExt;
use serde_json::{json, Map, Value};
use sha2::{Digest, Sha256};
use std::{fs::File, io::Write, path::Path};
use tokio::sync::oneshot;

/// Why an operation gave no result.
pub enum Failure {
    /// The error of the client as `{error, details, message, request_id}`.
    Call(Value),
    /// The list or this program is wrong.
    Program(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Program(message)
    }
}

/// One step of the list.
pub struct Step<'a> {
    pub op: &'a str,
    pub args: Value,
    pub cancel_after: Option<u64>,
    pub folder: &'a Path,
    pub messages: &'a Messages,
}

type Result = std::result::Result<Value, Failure>;

/// Operations that are one call each, with their messages.
macro_rules! calls {
    ($step:ident, $db:ident, $($op:literal => $group:ident.$method:ident($($request:ident)?) -> $answer:ident;)*) => {
        match $step.op {
            $($op => {
                let answer = $db.$group().$method($($step.request::<$request>(stringify!($request))?)?).await.map_err(|error| $step.failure(error))?;
                Some($step.messages.json(concat!("ctxdb.v1.", stringify!($answer)), &answer)?)
            })*
            _ => None,
        }
    };
}

/// Operations that go through all pages of a list.
macro_rules! lists {
    ($step:ident, $db:ident, $($op:literal => $group:ident.$method:ident($request:ident) -> $item:literal;)*) => {
        match $step.op {
            $($op => {
                let items = $db.$group().$method($step.request::<$request>(stringify!($request))?).try_collect::<Vec<_>>().await;
                let items = items.map_err(|error| $step.failure(error))?;
                let items = items.iter().map(|item| $step.messages.json($item, item)).collect::<std::result::Result<Vec<_>, _>>()?;
                Some(json!({ "items": items }))
            })*
            _ => None,
        }
    };
}

impl Step<'_> {
    pub async fn run(&self, db: &Ctxdb) -> Result {
        if let Some(answer) = self.call(db).await? {
            return Ok(answer);
        }
        if let Some(answer) = self.list(db).await? {
            return Ok(answer);
        }
        match self.op {
            "content.read" => {
                let text = db.content().read(self.request::<ReadContentRequest>("ReadContentRequest")?).await.map_err(|error| self.failure(error))?;
                Ok(json!({"content": text.content, "etag": text.etag}))
            }
            "system.health" => Ok(json!({"healthy": db.system().health().await.map_err(|error| self.failure(error))?})),
            "search.glob_all" => {
                let request = self.request::<GlobRequest>("GlobRequest")?;
                let items: Vec<String> = db.search().glob_all(request).try_collect().await.map_err(|error| self.failure(error))?;
                Ok(json!({ "items": items }))
            }
            "tasks.wait" => self.wait(db).await,
            "resources.upload" => self.upload(db).await,
            "resources.add_path" => {
                let request = self.request_without::<AddResourceRequest>("AddResourceRequest", "path")?;
                let answer = db.resources().add_path(self.path("path")?, request).await.map_err(|error| self.failure(error))?;
                Ok(self.messages.json("ctxdb.v1.AddResourceResponse", &answer)?)
            }
            "content.download" => {
                let request = self.request_without::<DownloadContentRequest>("DownloadContentRequest", "to")?;
                self.received(db.content().download(request).await.map_err(|error| self.failure(error))?).await
            }
            "packs.export" => {
                let request = self.request_without::<ExportPackRequest>("ExportPackRequest", "to")?;
                self.received(db.packs().export(request).await.map_err(|error| self.failure(error))?).await
            }
            other => Err(Failure::Program(format!("no operation {other}"))),
        }
    }

    async fn call(&self, db: &Ctxdb) -> std::result::Result<Option<Value>, Failure> {
        Ok(calls! { self, db,
            "admin.create_account" => admin.create_account(CreateAccountRequest) -> CreateAccountResponse;
            "admin.list_accounts" => admin.list_accounts() -> ListAccountsResponse;
            "admin.delete_account" => admin.delete_account(DeleteAccountRequest) -> DeleteAccountResponse;
            "admin.register_user" => admin.register_user(RegisterUserRequest) -> RegisterUserResponse;
            "admin.list_users" => admin.list_users(ListUsersRequest) -> ListUsersResponse;
            "admin.remove_user" => admin.remove_user(RemoveUserRequest) -> RemoveUserResponse;
            "admin.set_user_role" => admin.set_user_role(SetUserRoleRequest) -> SetUserRoleResponse;
            "admin.set_quotas" => admin.set_quotas(SetQuotasRequest) -> SetQuotasResponse;
            "admin.regenerate_user_key" => admin.regenerate_user_key(RegenerateUserKeyRequest) -> RegenerateUserKeyResponse;
            "admin.create_key" => admin.create_key(CreateKeyRequest) -> CreateKeyResponse;
            "admin.list_keys" => admin.list_keys(ListKeysRequest) -> ListKeysResponse;
            "admin.revoke_key" => admin.revoke_key(RevokeKeyRequest) -> RevokeKeyResponse;
            "admin.create_backup" => admin.create_backup(CreateBackupRequest) -> CreateBackupResponse;
            "admin.list_backups" => admin.list_backups(ListBackupsRequest) -> ListBackupsResponse;
            "admin.verify_backup" => admin.verify_backup(VerifyBackupRequest) -> VerifyBackupResponse;
            "admin.delete_backup" => admin.delete_backup(DeleteBackupRequest) -> DeleteBackupResponse;
            "content.abstract" => content.abstract_of(GetAbstractRequest) -> GetAbstractResponse;
            "content.overview" => content.overview(GetOverviewRequest) -> GetOverviewResponse;
            "content.chunks" => content.chunks(ListChunksRequest) -> ListChunksResponse;
            "content.history" => content.history(ListVersionsRequest) -> ListVersionsResponse;
            "content.diff" => content.diff(DiffVersionsRequest) -> DiffVersionsResponse;
            "content.restore" => content.restore(RestoreVersionRequest) -> RestoreVersionResponse;
            "content.write_many" => content.write_many(WriteFilesRequest) -> WriteFilesResponse;
            "content.write" => content.write(WriteContentRequest) -> WriteContentResponse;
            "fs.ls" => fs.ls(ListEntriesRequest) -> ListEntriesResponse;
            "fs.tree" => fs.tree(ListTreeRequest) -> ListTreeResponse;
            "fs.stat" => fs.stat(StatNodeRequest) -> StatNodeResponse;
            "fs.mkdir" => fs.mkdir(MakeDirectoryRequest) -> MakeDirectoryResponse;
            "fs.mv" => fs.mv(MoveNodeRequest) -> MoveNodeResponse;
            "fs.cp" => fs.cp(CopyNodeRequest) -> CopyNodeResponse;
            "fs.tag" => fs.tag(TagNodeRequest) -> TagNodeResponse;
            "fs.rm_many" => fs.rm_many(RemoveNodesRequest) -> RemoveNodesResponse;
            "fs.rm" => fs.rm(RemoveNodeRequest) -> RemoveNodeResponse;
            "observer.queue" => observer.queue() -> ComponentStatus;
            "observer.vectordb" => observer.vectordb() -> ComponentStatus;
            "observer.vlm" => observer.vlm() -> ComponentStatus;
            "observer.system" => observer.system() -> GetSystemResponse;
            "observer.metrics" => observer.metrics(ListMetricsRequest) -> ListMetricsResponse;
            "observer.members" => observer.members() -> ListMembersResponse;
            "observer.drain_member" => observer.drain_member(DrainMemberRequest) -> DrainMemberResponse;
            "observer.move_account" => observer.move_account(MoveAccountRequest) -> MoveAccountResponse;
            "observer.dead_letters" => observer.dead_letters(ListDeadLettersRequest) -> ListDeadLettersResponse;
            "observer.retry_dead_letter" => observer.retry_dead_letter(RetryDeadLetterRequest) -> RetryDeadLetterResponse;
            "observer.audit" => observer.audit(ListAuditRequest) -> ListAuditResponse;
            "observer.health" => observer.health() -> GetHealthResponse;
            "packs.import" => packs.import(ImportPackRequest) -> ImportPackResponse;
            "relations.link" => relations.link(LinkNodesRequest) -> LinkNodesResponse;
            "relations.unlink" => relations.unlink(UnlinkNodesRequest) -> UnlinkNodesResponse;
            "relations.list" => relations.list(ListRelationsRequest) -> ListRelationsResponse;
            "resources.add" => resources.add(AddResourceRequest) -> AddResourceResponse;
            "resources.refresh" => resources.refresh(RefreshResourceRequest) -> AddResourceResponse;
            "resources.schedule" => resources.schedule(ScheduleRefreshRequest) -> RefreshSchedule;
            "resources.schedules" => resources.schedules(ListRefreshSchedulesRequest) -> ListRefreshSchedulesResponse;
            "resources.run_schedule" => resources.run_schedule(RunRefreshScheduleRequest) -> RefreshSchedule;
            "resources.delete_schedule" => resources.delete_schedule(DeleteRefreshScheduleRequest) -> DeleteRefreshScheduleResponse;
            "search.find" => search.find(FindRequest) -> FindResponse;
            "search.search" => search.search(SearchRequest) -> SearchResponse;
            "search.recall" => search.recall(RecallRequest) -> RecallResponse;
            "search.grep" => search.grep(GrepRequest) -> GrepResponse;
            "search.glob" => search.glob(GlobRequest) -> GlobResponse;
            "memories.create" => memories.create(CreateMemoryRequest) -> CreateMemoryResponse;
            "memories.list" => memories.list(ListMemoriesRequest) -> ListMemoriesResponse;
            "memories.get" => memories.get(GetMemoryRequest) -> GetMemoryResponse;
            "memories.update" => memories.update(UpdateMemoryRequest) -> UpdateMemoryResponse;
            "memories.delete" => memories.delete(DeleteMemoryRequest) -> DeleteMemoryResponse;
            "memories.forget" => memories.forget(ForgetRequest) -> ForgetResponse;
            "memories.history" => memories.history(GetMemoryHistoryRequest) -> GetMemoryHistoryResponse;
            "sessions.create" => sessions.create(CreateSessionRequest) -> CreateSessionResponse;
            "sessions.list" => sessions.list(ListSessionsRequest) -> ListSessionsResponse;
            "sessions.get" => sessions.get(GetSessionRequest) -> GetSessionResponse;
            "sessions.delete" => sessions.delete(DeleteSessionRequest) -> DeleteSessionResponse;
            "sessions.add_message" => sessions.add_message(AddMessageRequest) -> AddMessageResponse;
            "sessions.add_messages" => sessions.add_messages(AddMessagesRequest) -> AddMessagesResponse;
            "sessions.used" => sessions.used(RecordUsageRequest) -> RecordUsageResponse;
            "sessions.commit" => sessions.commit(CommitSessionRequest) -> CommitSessionResponse;
            "sessions.context" => sessions.context(GetSessionContextRequest) -> GetSessionContextResponse;
            "skills.add" => skills.add(AddSkillRequest) -> AddSkillResponse;
            "skills.list" => skills.list() -> ListSkillsResponse;
            "skills.get" => skills.get(GetSkillRequest) -> GetSkillResponse;
            "skills.delete" => skills.delete(DeleteSkillRequest) -> DeleteSkillResponse;
            "system.status" => system.status() -> GetStatusResponse;
            "system.usage" => system.usage(GetUsageRequest) -> GetUsageResponse;
            "system.wait" => system.wait(WaitProcessedRequest) -> WaitProcessedResponse;
            "changes.list" => changes.list(ListChangesRequest) -> ListChangesResponse;
            "snapshots.create" => snapshots.create(CreateSnapshotRequest) -> Snapshot;
            "snapshots.list" => snapshots.list(ListSnapshotsRequest) -> ListSnapshotsResponse;
            "snapshots.get" => snapshots.get(GetSnapshotRequest) -> Snapshot;
            "snapshots.entries" => snapshots.entries(ListSnapshotEntriesRequest) -> ListSnapshotEntriesResponse;
            "snapshots.diff" => snapshots.diff(DiffSnapshotsRequest) -> DiffSnapshotsResponse;
            "snapshots.restore" => snapshots.restore(RestoreSnapshotRequest) -> RestoreSnapshotResponse;
            "snapshots.delete" => snapshots.delete(DeleteSnapshotRequest) -> DeleteSnapshotResponse;
            "trash.list" => trash.list(ListTrashRequest) -> ListTrashResponse;
            "trash.restore" => trash.restore(RestoreTrashRequest) -> RestoreTrashResponse;
            "trash.delete" => trash.delete(DeleteTrashRequest) -> DeleteTrashResponse;
            "trash.empty" => trash.empty(EmptyTrashRequest) -> EmptyTrashResponse;
            "webhooks.create" => webhooks.create(CreateWebhookRequest) -> CreateWebhookResponse;
            "webhooks.list" => webhooks.list() -> ListWebhooksResponse;
            "webhooks.get" => webhooks.get(GetWebhookRequest) -> Webhook;
            "webhooks.update" => webhooks.update(UpdateWebhookRequest) -> Webhook;
            "webhooks.delete" => webhooks.delete(DeleteWebhookRequest) -> DeleteWebhookResponse;
            "webhooks.rotate_secret" => webhooks.rotate_secret(RotateWebhookSecretRequest) -> RotateWebhookSecretResponse;
            "webhooks.test" => webhooks.test(TestWebhookRequest) -> WebhookDelivery;
            "webhooks.deliveries" => webhooks.deliveries(ListDeliveriesRequest) -> ListDeliveriesResponse;
            "access.explain" => access.explain(ExplainAccessRequest) -> ExplainAccessResponse;
            "access.grant" => access.grant(GrantAccessRequest) -> GrantAccessResponse;
            "access.revoke" => access.revoke(RevokeAccessRequest) -> RevokeAccessResponse;
            "access.grants" => access.grants(ListGrantsRequest) -> ListGrantsResponse;
            "access.create_group" => access.create_group(CreateGroupRequest) -> CreateGroupResponse;
            "access.list_groups" => access.list_groups(ListGroupsRequest) -> ListGroupsResponse;
            "access.delete_group" => access.delete_group(DeleteGroupRequest) -> DeleteGroupResponse;
            "access.add_member" => access.add_member(AddGroupMemberRequest) -> AddGroupMemberResponse;
            "access.remove_member" => access.remove_member(RemoveGroupMemberRequest) -> RemoveGroupMemberResponse;
            "access.who_am_i" => access.who_am_i() -> WhoAmIResponse;
            "tasks.cancel" => tasks.cancel(CancelTaskRequest) -> Task;
            "tasks.get" => tasks.get(GetTaskRequest) -> Task;
            "tasks.list" => tasks.list(ListTasksRequest) -> ListTasksResponse;
        })
    }

    async fn list(&self, db: &Ctxdb) -> std::result::Result<Option<Value>, Failure> {
        Ok(lists! { self, db,
            "fs.ls_all" => fs.ls_all(ListEntriesRequest) -> "google.protobuf.Value";
            "fs.tree_all" => fs.tree_all(ListTreeRequest) -> "google.protobuf.Value";
            "search.grep_all" => search.grep_all(GrepRequest) -> "ctxdb.v1.GrepMatch";
            "memories.list_all" => memories.list_all(ListMemoriesRequest) -> "ctxdb.v1.Memory";
            "sessions.list_all" => sessions.list_all(ListSessionsRequest) -> "ctxdb.v1.SessionSummary";
            "tasks.list_all" => tasks.list_all(ListTasksRequest) -> "ctxdb.v1.Task";
        })
    }

    async fn wait(&self, db: &Ctxdb) -> Result {
        let mut progress = Vec::new();
        let hear = |Progress { stage, done, total }| progress.push(json!({"stage": stage, "done": done, "total": total}));
        let task = db.tasks().wait(self.args["task_id"].as_str().unwrap_or_default(), hear).await.map_err(|error| self.failure(error))?;
        Ok(json!({"task": self.messages.json("ctxdb.v1.Task", &task)?, "progress": progress}))
    }

    /// Cancelled by dropping the call, once enough has been handed over.
    async fn upload(&self, db: &Ctxdb) -> Result {
        let (tell, enough) = oneshot::channel();
        let (mut tell, cancel_after) = (Some(tell), self.cancel_after);
        let on_sent = Box::new(move |sent| {
            if cancel_after.is_some_and(|limit| sent >= limit) {
                tell.take().map(|tell| tell.send(()));
            }
        });
        let options = UploadOptions { on_sent: Some(on_sent), ..Default::default() };
        let resources = db.resources();
        let answer = tokio::select! {
            Ok(()) = enough => return Err(cancelled()),
            answer = resources.upload_with(self.path("path")?, options) => answer.map_err(|error| self.failure(error))?,
        };
        Ok(self.messages.json("ctxdb.v1.UploadFileResponse", &answer)?)
    }

    async fn received(&self, mut download: Download) -> Result {
        let mut file = match self.args["to"].as_str() {
            Some(name) => Some(File::create(self.folder.join(name)).map_err(|error| error.to_string())?),
            None => None,
        };
        let (mut size, mut hash) = (0, Sha256::new());
        while let Some(chunk) = download.chunk().await.map_err(|error| self.failure(error))? {
            size += chunk.len() as u64;
            hash.update(&chunk);
            if let Some(file) = &mut file {
                file.write_all(&chunk).map_err(|error| error.to_string())?;
            }
            if self.cancel_after.is_some_and(|limit| size >= limit) {
                return Err(cancelled());
            }
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Ok(json!({"content_type": download.content_type(), "size": size, "sha256": sha256}))
    }

    fn path(&self, name: &str) -> std::result::Result<std::path::PathBuf, String> {
        self.args[name].as_str().map(|path| self.folder.join(path)).ok_or_else(|| format!("{} needs {name}", self.op))
    }

    fn request<Q: prost::Message + Default>(&self, name: &str) -> std::result::Result<Q, String> {
        self.messages.request(&format!("ctxdb.v1.{name}"), self.args.clone())
    }

    /// The request of an operation with an argument of its own.
    fn request_without<Q: prost::Message + Default>(&self, name: &str, own: &str) -> std::result::Result<Q, String> {
        let mut fields: Map<String, Value> = self.args.as_object().cloned().unwrap_or_default();
        fields.remove(own);
        self.messages.request(&format!("ctxdb.v1.{name}"), Value::Object(fields))
    }

    fn failure(&self, error: ctxdb::Error) -> Failure {
        let details = self.messages.json("google.protobuf.Struct", error.details().unwrap_or(&Struct::default()));
        let mut found = json!({"error": error.code(), "details": details.unwrap_or_default(), "message": error.message()});
        if let Some(id) = error.request_id() {
            found["request_id"] = id.into();
        }
        Failure::Call(found)
    }
}

fn cancelled() -> Failure {
    Failure::Call(json!({"error": "CANCELLED"}))
}
