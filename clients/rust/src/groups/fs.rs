use crate::{
    pages::all_of,
    v1::{filesystem_service_client::FilesystemServiceClient, *},
    Error,
};
use futures_util::stream::BoxStream;
use prost_types::Value;

group! {
    /// The tree of files and folders.
    Fs
}

operations! { Fs: FilesystemServiceClient;
    /// Returns a page of a folder's entries, sorted by name.
    ls = list_entries(ListEntriesRequest) -> ListEntriesResponse;
    /// Returns a page of everything below a folder; each folder comes before its contents.
    tree = list_tree(ListTreeRequest) -> ListTreeResponse;
    /// Returns the metadata of a file or folder.
    stat = stat_node(StatNodeRequest) -> StatNodeResponse;
    /// Creates a folder and its missing parents.
    mkdir = make_directory(MakeDirectoryRequest) -> MakeDirectoryResponse;
    /// Moves a file or folder in one atomic step.
    mv = move_node(MoveNodeRequest) -> MoveNodeResponse;
    /// Copies a file or folder to a free URI; contents, layers and vectors are reused.
    cp = copy_node(CopyNodeRequest) -> CopyNodeResponse;
    /// Adds and removes tags. The tags of a folder apply to everything below it.
    tag = tag_node(TagNodeRequest) -> TagNodeResponse;
    /// Deletes a file or folder.
    rm = remove_node(RemoveNodeRequest) -> RemoveNodeResponse;
    /// Deletes several files and folders in one transaction, either all or none.
    rm_many = remove_nodes(RemoveNodesRequest) -> RemoveNodesResponse;
}

impl Fs {
    /// Yields all entries of a folder, page by page.
    pub fn ls_all(&self, request: impl Into<ListEntriesRequest>) -> BoxStream<'static, Result<Value, Error>> {
        let (fs, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (fs, request) = (fs.clone(), ListEntriesRequest { cursor, ..request.clone() });
            async move { fs.ls(request).await.map(|page| (page.entries, page.next_cursor)) }
        })
    }

    /// Yields everything below a folder, page by page.
    pub fn tree_all(&self, request: impl Into<ListTreeRequest>) -> BoxStream<'static, Result<Value, Error>> {
        let (fs, request) = (self.clone(), request.into());
        all_of(request.cursor.clone(), move |cursor| {
            let (fs, request) = (fs.clone(), ListTreeRequest { cursor, ..request.clone() });
            async move { fs.tree(request).await.map(|page| (page.entries, page.next_cursor)) }
        })
    }
}
