use crate::{
    pages::all_of,
    v1::{session_service_client::SessionServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// Conversations of the caller, from which memories are extracted.
    Sessions
}

operations! { Sessions: SessionServiceClient;
    /// Starts a session.
    create = create_session(CreateSessionRequest) -> CreateSessionResponse;
    /// Returns a page of the caller's sessions, most recently changed first.
    list = list_sessions(ListSessionsRequest) -> ListSessionsResponse;
    /// Returns one session.
    get = get_session(GetSessionRequest) -> GetSessionResponse;
    /// Deletes a session. Extracted memories stay.
    delete = delete_session(DeleteSessionRequest) -> DeleteSessionResponse;
    /// Appends a message.
    add_message = add_message(AddMessageRequest) -> AddMessageResponse;
    /// Appends messages in one transaction, either all or none.
    add_messages = add_messages(AddMessagesRequest) -> AddMessagesResponse;
    /// Records that contexts and a skill were used.
    used = record_usage(RecordUsageRequest) -> RecordUsageResponse;
    /// Archives the messages and extracts memories.
    commit = commit_session(CommitSessionRequest) -> CommitSessionResponse;
    /// Returns the context of a session for a model, within a token budget.
    context = get_session_context(GetSessionContextRequest) -> GetSessionContextResponse;
}

impl Sessions {
    /// Yields all sessions, page by page.
    pub fn list_all(&self, request: impl Into<ListSessionsRequest>) -> BoxStream<'static, Result<SessionSummary, Error>> {
        let (sessions, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (sessions, request) = (sessions.clone(), page_of(&request, cursor));
            async move { sessions.list(request).await.map(|page| (page.sessions, page.next_cursor)) }
        })
    }
}

/// The request for the page of a cursor. The server counts an offset from the cursor, so that it applies to the first page alone.
fn page_of(request: &ListSessionsRequest, cursor: Option<String>) -> ListSessionsRequest {
    let offset = if cursor.is_some() { 0 } else { request.offset };
    ListSessionsRequest { cursor, offset, ..request.clone() }
}

#[cfg(test)]
mod tests {
    use super::{page_of, ListSessionsRequest};

    #[test]
    fn an_offset_leaves_out_the_first_sessions_of_a_list_only() {
        let request = ListSessionsRequest { limit: Some(2), offset: 3, ..Default::default() };
        assert_eq!(page_of(&request, None).offset, 3);
        let next = page_of(&request, Some("c".to_owned()));
        assert_eq!((next.offset, next.limit, next.cursor.as_deref()), (0, Some(2), Some("c")));
    }
}
