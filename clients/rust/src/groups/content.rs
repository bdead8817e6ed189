use crate::{
    v1::{content_service_client::ContentServiceClient, *},
    Download, Error,
};

group! {
    /// The three layers of a node: content (L2), overview (L1), abstract (L0).
    Content
}

/// Text of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The text with its stored line ends.
    pub content: String,
    /// Value for `if_match` of a write.
    pub etag: String,
}

operations! { Content: ContentServiceClient;
    /// Returns the abstract (L0). FAILED_PRECONDITION while it is not ready yet.
    abstract_of = get_abstract(GetAbstractRequest) -> GetAbstractResponse;
    /// Returns the overview (L1). FAILED_PRECONDITION while it is not ready yet.
    overview = get_overview(GetOverviewRequest) -> GetOverviewResponse;
    /// Returns the chunks of a file or folder in the search index, in text order.
    chunks = list_chunks(ListChunksRequest) -> ListChunksResponse;
    /// Returns the versions of a file, newest first.
    history = list_versions(ListVersionsRequest) -> ListVersionsResponse;
    /// Compares two versions of a text file; by default the current version and the one before.
    diff = diff_versions(DiffVersionsRequest) -> DiffVersionsResponse;
    /// Restores the content of an earlier version of a file, as a new version.
    restore = restore_version(RestoreVersionRequest) -> RestoreVersionResponse;
    /// Writes a text file. An interrupted write is retried without writing twice.
    write = write_content(WriteContentRequest) -> WriteContentResponse;
    /// Writes several text files in one transaction, either all or none. An interrupted write is
    /// retried without writing twice.
    write_many = write_files(WriteFilesRequest) -> WriteFilesResponse;
}

impl Content {
    /// Returns a file as text, whole or a range of lines. INVALID_ARGUMENT for folders and binary
    /// content.
    pub async fn read(&self, request: impl Into<ReadContentRequest>) -> Result<Text, Error> {
        let send = |channel, request| async move { ContentServiceClient::new(channel).read_content(request).await };
        let answer = self.wire.unary("read", request.into(), send).await?;
        let etag = answer.metadata().get("etag").and_then(|header| header.to_str().ok()).unwrap_or_default();
        Ok(Text { etag: etag.trim_matches('"').to_owned(), content: answer.into_inner().content })
    }

    /// Streams the bytes of a file.
    pub async fn download(&self, request: impl Into<DownloadContentRequest>) -> Result<Download, Error> {
        let send = |channel, request| async move { ContentServiceClient::new(channel).download_content(request).await };
        Download::new(self.wire.stream("download", request.into(), send).await?).await
    }
}
