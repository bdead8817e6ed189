use crate::{
    stubs::grpc::health::v1::{health_check_response::ServingStatus, health_client::HealthClient, HealthCheckRequest},
    v1::{system_service_client::SystemServiceClient, *},
    Error,
};

group! {
    /// The server, the caller's identity, and waiting for the queues.
    System
}

operations! { System: SystemServiceClient;
    /// Returns the server's version and uptime, and the caller's identity.
    status = get_status() -> GetStatusResponse;
    /// Returns an account's usage and limits; by default the caller's account.
    usage = get_usage(GetUsageRequest) -> GetUsageResponse;
    /// Waits until all work of the caller's account is done. After DEADLINE_EXCEEDED the work
    /// continues.
    wait = wait_processed(WaitProcessedRequest) -> WaitProcessedResponse;
}

impl System {
    /// Returns whether the server accepts calls. Needs no key.
    pub async fn health(&self) -> Result<bool, Error> {
        let send = |channel, request| async move { HealthClient::new(channel).check(request).await };
        let answer = self.wire.unary("health", HealthCheckRequest::default(), send).await?;
        Ok(answer.into_inner().status() == ServingStatus::Serving)
    }
}
