use crate::{
    pages::all_of,
    v1::{memory_service_client::MemoryServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// Single memories of the caller: facts and episodes.
    Memories
}

operations! { Memories: MemoryServiceClient;
    /// Stores a statement word for word.
    create = create_memory(CreateMemoryRequest) -> CreateMemoryResponse;
    /// Returns a page of memories: facts, then episodes.
    list = list_memories(ListMemoriesRequest) -> ListMemoriesResponse;
    /// Returns one memory.
    get = get_memory(GetMemoryRequest) -> GetMemoryResponse;
    /// Changes a fact. Its id stays the same; the previous statement moves to the history.
    update = update_memory(UpdateMemoryRequest) -> UpdateMemoryResponse;
    /// Deletes a memory. The messages it comes from stay in the archive of their session.
    delete = delete_memory(DeleteMemoryRequest) -> DeleteMemoryResponse;
    /// Removes memories for good by URI, query or subject, with the sentences they come from.
    forget = forget(ForgetRequest) -> ForgetResponse;
    /// Returns a fact and the facts it superseded, newest first.
    history = get_memory_history(GetMemoryHistoryRequest) -> GetMemoryHistoryResponse;
}

impl Memories {
    /// Yields all memories, page by page.
    pub fn list_all(&self, request: impl Into<ListMemoriesRequest>) -> BoxStream<'static, Result<Memory, Error>> {
        let (memories, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (memories, request) = (memories.clone(), ListMemoriesRequest { cursor, ..request.clone() });
            async move { memories.list(request).await.map(|page| (page.memories, page.next_cursor)) }
        })
    }
}
