use crate::{
    stubs::grpc::health::v1::{health_check_response::ServingStatus, health_client::HealthClient, HealthCheckRequest},
    v1::{system_service_client::SystemServiceClient, *},
    Error,
};

group! {
    /// The server, who the caller is to it, and waiting for the queues.
    System
}

operations! { System: SystemServiceClient;
    /// The server, and who the caller is to it.
    status = get_status() -> GetStatusResponse;
    /// What an account uses of each limited resource, with the limits; by default the caller's account.
    usage = get_usage(GetUsageRequest) -> GetUsageResponse;
    /// Waits until all work of the caller's account is done; the work goes on after DEADLINE_EXCEEDED.
    wait = wait_processed(WaitProcessedRequest) -> WaitProcessedResponse;
}

impl System {
    /// Whether the server takes calls; needs no key.
    pub async fn health(&self) -> Result<bool, Error> {
        let send = |channel, request| async move { HealthClient::new(channel).check(request).await };
        let answer = self.wire.unary("health", HealthCheckRequest::default(), send).await?;
        Ok(answer.into_inner().status() == ServingStatus::Serving)
    }
}
