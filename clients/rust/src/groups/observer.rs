use crate::v1::{observer_service_client::ObserverServiceClient, *};

group! {
    /// State of the server's components.
    Observer
}

operations! { Observer: ObserverServiceClient;
    /// Returns the state of the queues.
    queue = get_queue() -> ComponentStatus;
    /// Returns the state of the vectors.
    vectordb = get_vectordb() -> ComponentStatus;
    /// Returns the tokens used by models.
    vlm = get_vlm() -> ComponentStatus;
    /// Returns the state of the queues, the vector index and the models, and the problems found.
    system = get_system() -> GetSystemResponse;
    /// Returns measurements over time. Requires ROOT.
    metrics = list_metrics(ListMetricsRequest) -> ListMetricsResponse;
    /// Returns the servers that share the store, with their accounts. Requires ROOT.
    members = list_members() -> ListMembersResponse;
    /// Makes a server hand over all its accounts; `cancel` stops this. Requires ROOT.
    drain_member = drain_member(DrainMemberRequest) -> DrainMemberResponse;
    /// Hands an account over to a server. Requires ROOT.
    move_account = move_account(MoveAccountRequest) -> MoveAccountResponse;
    /// Returns jobs that were given up, newest first. Requires ADMIN or ROOT.
    dead_letters = list_dead_letters(ListDeadLettersRequest) -> ListDeadLettersResponse;
    /// Queues the job of a dead letter again. Requires ADMIN or ROOT.
    retry_dead_letter = retry_dead_letter(RetryDeadLetterRequest) -> RetryDeadLetterResponse;
    /// Returns administrative and refused calls, newest first. Requires ADMIN or ROOT.
    audit = list_audit(ListAuditRequest) -> ListAuditResponse;
    /// Returns whether all components work.
    health = get_health() -> GetHealthResponse;
}
