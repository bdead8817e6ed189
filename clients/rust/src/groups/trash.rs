use crate::v1::{trash_service_client::TrashServiceClient, *};

group! {
    /// Trash: deleted and replaced files and folders, until they expire.
    Trash
}

operations! { Trash: TrashServiceClient;
    /// Returns a page of the trash, newest item first.
    list = list_trash(ListTrashRequest) -> ListTrashResponse;
    /// Restores an item to its old URI, or to another one.
    restore = restore_trash(RestoreTrashRequest) -> RestoreTrashResponse;
    /// Deletes one item for good.
    delete = delete_trash(DeleteTrashRequest) -> DeleteTrashResponse;
    /// Deletes for good all items from the caller's own spaces, and items that the caller removed
    /// from shared folders.
    empty = empty_trash(EmptyTrashRequest) -> EmptyTrashResponse;
}
