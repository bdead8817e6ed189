use crate::v1::{observer_service_client::ObserverServiceClient, *};

group! {
    /// The state of the parts, for people.
    Observer
}

operations! { Observer: ObserverServiceClient;
    /// The queues.
    queue = get_queue() -> ComponentStatus;
    /// The vectors.
    vectordb = get_vectordb() -> ComponentStatus;
    /// The models' token usage.
    vlm = get_vlm() -> ComponentStatus;
    /// All three.
    system = get_system() -> GetSystemResponse;
    /// Measurements over time; ROOT alone.
    metrics = list_metrics(ListMetricsRequest) -> ListMetricsResponse;
    /// The servers that share the store, and the accounts that each of them owns; ROOT alone.
    members = list_members() -> ListMembersResponse;
    /// Makes a server hand over all its accounts, or with `cancel` ends that; ROOT alone.
    drain_member = drain_member(DrainMemberRequest) -> DrainMemberResponse;
    /// Hands an account over to a server; ROOT alone.
    move_account = move_account(MoveAccountRequest) -> MoveAccountResponse;
    /// Jobs that were given up, the newest first; ADMIN and ROOT.
    dead_letters = list_dead_letters(ListDeadLettersRequest) -> ListDeadLettersResponse;
    /// Queues a job that was given up again; ADMIN and ROOT.
    retry_dead_letter = retry_dead_letter(RetryDeadLetterRequest) -> RetryDeadLetterResponse;
    /// Administrative and refused calls, the newest first; ADMIN and ROOT.
    audit = list_audit(ListAuditRequest) -> ListAuditResponse;
    /// Whether all parts are well.
    health = get_health() -> GetHealthResponse;
}
