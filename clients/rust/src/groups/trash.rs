use crate::v1::{trash_service_client::TrashServiceClient, *};

group! {
    /// What was deleted or replaced, until it expires.
    Trash
}

operations! { Trash: TrashServiceClient;
    /// A page of the trash, the newest item first.
    list = list_trash(ListTrashRequest) -> ListTrashResponse;
    /// Puts an item back to where it was, or to another place.
    restore = restore_trash(RestoreTrashRequest) -> RestoreTrashResponse;
    /// Deletes one item for good.
    delete = delete_trash(DeleteTrashRequest) -> DeleteTrashResponse;
    /// Deletes for good what was removed from the caller's own spaces, and by the caller from shared places.
    empty = empty_trash(EmptyTrashRequest) -> EmptyTrashResponse;
}
