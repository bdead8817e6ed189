use crate::{
    v1::{change_service_client::ChangeServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// Changes of files and folders, in commit order.
    Changes
}

operations! { Changes: ChangeServiceClient;
    /// Returns a page of changes. Its cursor continues with later changes.
    list = list_changes(ListChangesRequest) -> ListChangesResponse;
}

impl Changes {
    /// Streams changes as they are committed. After an error, watch again with the cursor of the
    /// last event, so that no change is missed.
    pub async fn watch(&self, request: impl Into<WatchChangesRequest>) -> Result<BoxStream<'static, Result<WatchChangesResponse, Error>>, Error> {
        let send = |channel, request| async move { ChangeServiceClient::new(channel).watch_changes(request).await };
        self.wire.stream("watch", request.into(), send).await
    }
}
