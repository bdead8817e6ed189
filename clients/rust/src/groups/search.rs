use crate::{
    pages::all_of,
    v1::{search_service_client::SearchServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// By meaning (find, search), by pattern (grep) and by name (glob), in what the caller may see.
    Search
}

operations! { Search: SearchServiceClient;
    /// Searches by meaning and words.
    find = find(FindRequest) -> FindResponse;
    /// Searches with the intent and, where a session is named, with its history.
    search = search(SearchRequest) -> SearchResponse;
    /// What a model should know before it answers, as a text to paste; with a session it goes on from turn to turn.
    recall = recall(RecallRequest) -> RecallResponse;
    /// One page of the lines that match a regular expression (RE2).
    grep = grep(GrepRequest) -> GrepResponse;
    /// One page of the URIs whose path matches.
    glob = glob(GlobRequest) -> GlobResponse;
}

impl Search {
    /// All lines that match, page after page.
    pub fn grep_all(&self, request: impl Into<GrepRequest>) -> BoxStream<'static, Result<GrepMatch, Error>> {
        let (search, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (search, request) = (search.clone(), GrepRequest { cursor, ..request.clone() });
            async move { search.grep(request).await.map(|page| (page.matches, page.next_cursor)) }
        })
    }

    /// All URIs that match, page after page.
    pub fn glob_all(&self, request: impl Into<GlobRequest>) -> BoxStream<'static, Result<String, Error>> {
        let (search, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (search, request) = (search.clone(), GlobRequest { cursor, ..request.clone() });
            async move { search.glob(request).await.map(|page| (page.matches, page.next_cursor)) }
        })
    }
}
