use crate::{
    pages::all_of,
    v1::{search_service_client::SearchServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// Search by meaning (find, search), by regular expression (grep) and by name (glob), in
    /// everything that the caller may see.
    Search
}

operations! { Search: SearchServiceClient;
    /// Searches by meaning and words.
    find = find(FindRequest) -> FindResponse;
    /// Like find, but first turns the question into several queries, using the history of a session
    /// if one is named.
    search = search(SearchRequest) -> SearchResponse;
    /// Returns context for a model as text to paste into its prompt. With a session, the text grows
    /// from turn to turn.
    recall = recall(RecallRequest) -> RecallResponse;
    /// Returns a page of lines that match a regular expression (RE2 syntax).
    grep = grep(GrepRequest) -> GrepResponse;
    /// Returns a page of URIs whose path matches the pattern.
    glob = glob(GlobRequest) -> GlobResponse;
}

impl Search {
    /// Yields all matching lines, page by page.
    pub fn grep_all(&self, request: impl Into<GrepRequest>) -> BoxStream<'static, Result<GrepMatch, Error>> {
        let (search, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (search, request) = (search.clone(), GrepRequest { cursor, ..request.clone() });
            async move { search.grep(request).await.map(|page| (page.matches, page.next_cursor)) }
        })
    }

    /// Yields all matching URIs, page by page.
    pub fn glob_all(&self, request: impl Into<GlobRequest>) -> BoxStream<'static, Result<String, Error>> {
        let (search, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (search, request) = (search.clone(), GlobRequest { cursor, ..request.clone() });
            async move { search.glob(request).await.map(|page| (page.matches, page.next_cursor)) }
        })
    }
}
