use crate::{options::Waits, stubs::grpc::health::v1::HealthCheckRequest, v1::*};

/// Properties of a request that decide about its deadline and retries.
pub(crate) trait Ask: Clone {
    /// Whether the request can be retried safely. Sets the idempotency key of a write that has none.
    fn make_repeatable(&mut self) -> bool;

    fn waits(&self) -> Waits {
        Waits::No
    }
}

/// Requests that change nothing.
macro_rules! reads {
    ($($request:ty),*) => { $(impl Ask for $request { fn make_repeatable(&mut self) -> bool { true } })* };
}

/// Requests that change something and have no idempotency key.
macro_rules! writes {
    ($($request:ty),*) => { $(impl Ask for $request { fn make_repeatable(&mut self) -> bool { false } })* };
}

/// Requests with an idempotency key; `waits` is how long they let the server wait.
macro_rules! keyed {
    ($($request:ty, $waits:expr;)*) => { $(impl Ask for $request {
        fn make_repeatable(&mut self) -> bool {
            self.idempotency_key.get_or_insert_with(|| uuid::Uuid::new_v4().simple().to_string());
            true
        }

        fn waits(&self) -> Waits {
            let waits: fn(&$request) -> Waits = $waits;
            waits(self)
        }
    })* };
}

/// Lets requests with one required text be created from that text.
macro_rules! named {
    ($($request:ident.$field:ident),*) => { $(
        impl From<&str> for $request {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }

        impl From<String> for $request {
            #[allow(clippy::needless_update)]
            fn from(text: String) -> Self {
                Self { $field: text, ..Self::default() }
            }
        }

        impl From<&String> for $request {
            fn from(text: &String) -> Self {
                Self::from(text.clone())
            }
        }
    )* };
}

reads!(ReadContentRequest, DownloadContentRequest, GetAbstractRequest, GetOverviewRequest, ListEntriesRequest, ListTreeRequest, StatNodeRequest);
reads!(FindRequest, SearchRequest, RecallRequest, GrepRequest, GlobRequest, ListRelationsRequest, ExportPackRequest, ListSkillsRequest, GetSkillRequest);
reads!(ListSessionsRequest, GetSessionRequest, GetSessionContextRequest, GetTaskRequest, ListTasksRequest, WatchTaskRequest, GetStatusRequest);
reads!(ListChangesRequest, WatchChangesRequest, ListMemoriesRequest, GetMemoryRequest, GetMemoryHistoryRequest, ListBackupsRequest);
reads!(ListTrashRequest, ListSnapshotsRequest, GetSnapshotRequest, ListSnapshotEntriesRequest, DiffSnapshotsRequest);
reads!(ListWebhooksRequest, GetWebhookRequest, ListDeliveriesRequest);
reads!(WhoAmIRequest, ExplainAccessRequest, ListGrantsRequest, ListGroupsRequest);
reads!(HealthCheckRequest, ListVersionsRequest, DiffVersionsRequest, ListChunksRequest, ListDeadLettersRequest, ListAuditRequest);
reads!(GetQueueRequest, GetVectordbRequest, GetVlmRequest, GetSystemRequest, GetHealthRequest, ListMetricsRequest, ListAccountsRequest, ListUsersRequest);
reads!(ListKeysRequest, ListMembersRequest, GetUsageRequest, ListRefreshSchedulesRequest);
writes!(
    MakeDirectoryRequest,
    TagNodeRequest,
    MoveNodeRequest,
    RemoveNodeRequest,
    LinkNodesRequest,
    UnlinkNodesRequest,
    DeleteSessionRequest,
    RecordUsageRequest
);
writes!(GrantAccessRequest, RevokeAccessRequest, CreateGroupRequest, DeleteGroupRequest, AddGroupMemberRequest, RemoveGroupMemberRequest);
writes!(
    CancelTaskRequest,
    DeleteMemoryRequest,
    DeleteSnapshotRequest,
    DeleteTrashRequest,
    EmptyTrashRequest,
    UpdateWebhookRequest,
    DeleteWebhookRequest,
    RotateWebhookSecretRequest,
    TestWebhookRequest,
    RetryDeadLetterRequest,
    DrainMemberRequest,
    MoveAccountRequest,
    DeleteSkillRequest,
    CreateAccountRequest,
    DeleteAccountRequest,
    DeleteBackupRequest,
    RegisterUserRequest,
    RemoveUserRequest,
    SetUserRoleRequest,
    SetQuotasRequest,
    RegenerateUserKeyRequest,
    CreateKeyRequest,
    RevokeKeyRequest,
    ScheduleRefreshRequest,
    RunRefreshScheduleRequest,
    DeleteRefreshScheduleRequest
);
keyed! {
    CreateSessionRequest, |_| Waits::No;
    AddMessageRequest, |_| Waits::No;
    AddMessagesRequest, |_| Waits::No;
    CreateMemoryRequest, |_| Waits::No;
    CreateSnapshotRequest, |_| Waits::No;
    CreateWebhookRequest, |_| Waits::No;
    RemoveNodesRequest, |_| Waits::No;
    RestoreTrashRequest, |_| Waits::No;
    UpdateMemoryRequest, |_| Waits::No;
    ForgetRequest, |_| Waits::No;
    CommitSessionRequest, |request| waiting(request.wait.unwrap_or(true), None);
    CopyNodeRequest, |request| waiting(request.wait, request.timeout);
    RestoreSnapshotRequest, |request| waiting(request.wait, request.timeout);
    RestoreVersionRequest, |request| waiting(request.wait, request.timeout);
    WriteContentRequest, |request| waiting(request.wait, request.timeout);
    WriteFilesRequest, |request| waiting(request.wait, request.timeout);
    AddResourceRequest, |request| waiting(request.wait, request.timeout);
    AddSkillRequest, |request| waiting(request.wait, request.timeout);
    ImportPackRequest, |request| waiting(request.wait, request.timeout);
}
named!(ReadContentRequest.uri, DownloadContentRequest.uri, GetAbstractRequest.uri, GetOverviewRequest.uri, ListEntriesRequest.uri, ListTreeRequest.uri);
named!(StatNodeRequest.uri, MakeDirectoryRequest.uri, RemoveNodeRequest.uri, FindRequest.query, SearchRequest.query, GlobRequest.pattern);
named!(
    ListChunksRequest.uri,
    ListVersionsRequest.uri,
    DiffVersionsRequest.uri,
    RetryDeadLetterRequest.id,
    ListRelationsRequest.uri,
    ExportPackRequest.uri,
    RefreshResourceRequest.uri,
    RunRefreshScheduleRequest.uri,
    DeleteRefreshScheduleRequest.uri,
    GetSkillRequest.name,
    DeleteSkillRequest.name
);
named!(CreateMemoryRequest.statement, GetMemoryRequest.memory_id, DeleteMemoryRequest.memory_id, GetMemoryHistoryRequest.memory_id);
named!(GetSessionRequest.session_id, DeleteSessionRequest.session_id, CommitSessionRequest.session_id, GetSessionContextRequest.session_id);
named!(GetTaskRequest.task_id, WatchTaskRequest.task_id, CancelTaskRequest.task_id, DeleteAccountRequest.account_id, ListUsersRequest.account_id);
named!(CreateWebhookRequest.url, GetWebhookRequest.webhook_id, DeleteWebhookRequest.webhook_id, RotateWebhookSecretRequest.webhook_id);
named!(RestoreTrashRequest.trash_id, DeleteTrashRequest.trash_id);
named!(CreateSnapshotRequest.name, GetSnapshotRequest.name, ListSnapshotEntriesRequest.name, DiffSnapshotsRequest.name);
named!(RestoreSnapshotRequest.name, DeleteSnapshotRequest.name);
named!(TestWebhookRequest.webhook_id, ListDeliveriesRequest.webhook_id);
named!(ExplainAccessRequest.uri, ListGroupsRequest.account_id);
named!(VerifyBackupRequest.name, DeleteBackupRequest.name);

impl Ask for RefreshResourceRequest {
    fn make_repeatable(&mut self) -> bool {
        false
    }

    fn waits(&self) -> Waits {
        waiting(self.wait, self.timeout)
    }
}

impl Ask for CreateBackupRequest {
    fn make_repeatable(&mut self) -> bool {
        false
    }

    fn waits(&self) -> Waits {
        waiting(self.wait.unwrap_or(true), None)
    }
}

impl Ask for VerifyBackupRequest {
    fn make_repeatable(&mut self) -> bool {
        true
    }

    fn waits(&self) -> Waits {
        waiting(true, None)
    }
}

impl Ask for WaitProcessedRequest {
    fn make_repeatable(&mut self) -> bool {
        true
    }

    fn waits(&self) -> Waits {
        waiting(true, self.timeout)
    }
}

fn waiting(wait: bool, timeout: Option<f64>) -> Waits {
    match timeout {
        _ if !wait => Waits::No,
        Some(seconds) => Waits::For(seconds),
        None => Waits::UntilDone,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ask, Waits};
    use crate::v1::{AddResourceRequest, CommitSessionRequest, MakeDirectoryRequest, WriteContentRequest};

    #[test]
    fn a_write_gets_a_key_of_its_own_unless_it_has_one() {
        let mut writes = [WriteContentRequest::default(), WriteContentRequest::default()];
        assert!(writes.iter_mut().all(Ask::make_repeatable));
        assert_ne!(writes[0].idempotency_key, writes[1].idempotency_key);
        let mut chosen = AddResourceRequest { idempotency_key: Some("mine".into()), ..Default::default() };
        chosen.make_repeatable();
        assert_eq!(chosen.idempotency_key.as_deref(), Some("mine"));
        assert!(!MakeDirectoryRequest::from("ctx://resources/a").make_repeatable());
    }

    #[test]
    fn a_request_tells_how_long_the_server_waits() {
        assert_eq!(AddResourceRequest { timeout: Some(3.0), ..Default::default() }.waits(), Waits::No);
        assert_eq!(AddResourceRequest { wait: true, timeout: Some(3.0), ..Default::default() }.waits(), Waits::For(3.0));
        assert_eq!(CommitSessionRequest::from("monday").waits(), Waits::UntilDone);
    }
}
