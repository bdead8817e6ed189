use crate::v1::{snapshot_service_client::SnapshotServiceClient, *};

group! {
    /// Named states of folders that can be listed, read, compared and restored.
    Snapshots
}

operations! { Snapshots: SnapshotServiceClient;
    /// Names the present state of a folder, or of the workspace; nothing is copied.
    create = create_snapshot(CreateSnapshotRequest) -> Snapshot;
    /// A page, the newest snapshot first.
    list = list_snapshots(ListSnapshotsRequest) -> ListSnapshotsResponse;
    /// One snapshot.
    get = get_snapshot(GetSnapshotRequest) -> Snapshot;
    /// The files and folders of a folder as they were. Read one with `content.read` and its `snapshot`.
    entries = list_snapshot_entries(ListSnapshotEntriesRequest) -> ListSnapshotEntriesResponse;
    /// What differs between a snapshot and a later one, or the present.
    diff = diff_snapshots(DiffSnapshotsRequest) -> DiffSnapshotsResponse;
    /// Makes a folder as it was: changed files get a new version, added ones go to the trash.
    restore = restore_snapshot(RestoreSnapshotRequest) -> RestoreSnapshotResponse;
    /// Deletes a snapshot, with what only it kept.
    delete = delete_snapshot(DeleteSnapshotRequest) -> DeleteSnapshotResponse;
}
