use crate::{
    v1::{change_service_client::ChangeServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// What changes in the tree, in the order of commits.
    Changes
}

operations! { Changes: ChangeServiceClient;
    /// One page; its cursor goes on with what comes later.
    list = list_changes(ListChangesRequest) -> ListChangesResponse;
}

impl Changes {
    /// The changes as they are committed. After an error, watch again with the cursor of the last event: nothing is missed.
    pub async fn watch(
        &self,
        request: impl Into<WatchChangesRequest>,
    ) -> Result<BoxStream<'static, Result<WatchChangesResponse, Error>>, Error> {
        let send = |channel, request| async move { ChangeServiceClient::new(channel).watch_changes(request).await };
        self.wire.stream("watch", request.into(), send).await
    }
}
