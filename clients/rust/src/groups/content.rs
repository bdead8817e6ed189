use crate::{
    v1::{content_service_client::ContentServiceClient, *},
    Download, Error,
};

group! {
    /// The three layers of a node: content (L2), overview (L1), abstract (L0).
    Content
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// With its line ends as stored.
    pub content: String,
    /// For `if_match` of a write.
    pub etag: String,
}

operations! { Content: ContentServiceClient;
    /// The abstract (L0). FAILED_PRECONDITION while it is not made yet.
    abstract_of = get_abstract(GetAbstractRequest) -> GetAbstractResponse;
    /// The overview (L1). FAILED_PRECONDITION while it is not made yet.
    overview = get_overview(GetOverviewRequest) -> GetOverviewResponse;
    /// What the search index holds of a file or folder, in the order of its text.
    chunks = list_chunks(ListChunksRequest) -> ListChunksResponse;
    /// The versions of a file, the newest first.
    history = list_versions(ListVersionsRequest) -> ListVersionsResponse;
    /// What two versions of a text file differ in: by default the present one and the one before.
    diff = diff_versions(DiffVersionsRequest) -> DiffVersionsResponse;
    /// Gives a file the content of an earlier version, as a new version.
    restore = restore_version(RestoreVersionRequest) -> RestoreVersionResponse;
    /// Writes a text file; a write that was cut off is repeated without writing twice.
    write = write_content(WriteContentRequest) -> WriteContentResponse;
    /// Writes several text files in one step: all of them, or none. Cut off, it is repeated without writing twice.
    write_many = write_files(WriteFilesRequest) -> WriteFilesResponse;
}

impl Content {
    /// A file as text, whole or by lines. INVALID_ARGUMENT for folders and binary content.
    pub async fn read(&self, request: impl Into<ReadContentRequest>) -> Result<Text, Error> {
        let send = |channel, request| async move { ContentServiceClient::new(channel).read_content(request).await };
        let answer = self.wire.unary("read", request.into(), send).await?;
        let etag = answer.metadata().get("etag").and_then(|header| header.to_str().ok()).unwrap_or_default();
        Ok(Text { etag: etag.trim_matches('"').to_owned(), content: answer.into_inner().content })
    }

    /// The raw bytes of a file.
    pub async fn download(&self, request: impl Into<DownloadContentRequest>) -> Result<Download, Error> {
        let send = |channel, request| async move { ContentServiceClient::new(channel).download_content(request).await };
        Download::new(self.wire.stream("download", request.into(), send).await?).await
    }
}
