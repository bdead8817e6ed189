use crate::{
    pages::all_of,
    v1::{memory_service_client::MemoryServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;

group! {
    /// The caller's memories one by one: facts and episodes.
    Memories
}

operations! { Memories: MemoryServiceClient;
    /// Keeps a statement word for word.
    create = create_memory(CreateMemoryRequest) -> CreateMemoryResponse;
    /// One page: facts, then episodes.
    list = list_memories(ListMemoriesRequest) -> ListMemoriesResponse;
    /// One memory.
    get = get_memory(GetMemoryRequest) -> GetMemoryResponse;
    /// Changes a fact: its id stays, the statement before goes into the history.
    update = update_memory(UpdateMemoryRequest) -> UpdateMemoryResponse;
    /// Deletes a memory; what was said stays in the archive of its session.
    delete = delete_memory(DeleteMemoryRequest) -> DeleteMemoryResponse;
    /// Forgets for good by URI, query or subject, in memories and in what was said.
    forget = forget(ForgetRequest) -> ForgetResponse;
    /// A fact and what it has superseded, the newest first.
    history = get_memory_history(GetMemoryHistoryRequest) -> GetMemoryHistoryResponse;
}

impl Memories {
    /// All memories, page after page.
    pub fn list_all(&self, request: impl Into<ListMemoriesRequest>) -> BoxStream<'static, Result<Memory, Error>> {
        let (memories, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (memories, request) = (memories.clone(), ListMemoriesRequest { cursor, ..request.clone() });
            async move { memories.list(request).await.map(|page| (page.memories, page.next_cursor)) }
        })
    }
}
