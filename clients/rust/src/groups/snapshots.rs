use crate::v1::{snapshot_service_client::SnapshotServiceClient, *};

group! {
    /// Snapshots: named states of folders that can be listed, read, compared and restored.
    Snapshots
}

operations! { Snapshots: SnapshotServiceClient;
    /// Creates a snapshot of a folder, or of the workspace. Nothing is copied.
    create = create_snapshot(CreateSnapshotRequest) -> Snapshot;
    /// Returns a page of snapshots, newest first.
    list = list_snapshots(ListSnapshotsRequest) -> ListSnapshotsResponse;
    /// Returns one snapshot.
    get = get_snapshot(GetSnapshotRequest) -> Snapshot;
    /// Lists the files and folders in a folder of a snapshot. To read a file, call `content.read`
    /// with `snapshot`.
    entries = list_snapshot_entries(ListSnapshotEntriesRequest) -> ListSnapshotEntriesResponse;
    /// Compares a snapshot with a later one, or with the current state.
    diff = diff_snapshots(DiffSnapshotsRequest) -> DiffSnapshotsResponse;
    /// Restores a folder from a snapshot: changed files get a new version, added ones go to the
    /// trash.
    restore = restore_snapshot(RestoreSnapshotRequest) -> RestoreSnapshotResponse;
    /// Deletes a snapshot, and content that no other snapshot needs.
    delete = delete_snapshot(DeleteSnapshotRequest) -> DeleteSnapshotResponse;
}
