package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Snapshots are named states of folders that can be listed, read, compared and restored.
type Snapshots struct {
	caller *caller
	stub   pb.SnapshotServiceClient
}

// Create creates a snapshot of a folder, or of the workspace. Nothing is copied.
func (s *Snapshots) Create(ctx context.Context, request *pb.CreateSnapshotRequest) (*pb.Snapshot, error) {
	return write(ctx, s.caller, request, s.stub.CreateSnapshot)
}

// List returns a page of snapshots, newest first.
func (s *Snapshots) List(ctx context.Context, request *pb.ListSnapshotsRequest) (*pb.ListSnapshotsResponse, error) {
	return read(ctx, s.caller, request, s.stub.ListSnapshots)
}

// Get returns one snapshot.
func (s *Snapshots) Get(ctx context.Context, name string) (*pb.Snapshot, error) {
	return read(ctx, s.caller, &pb.GetSnapshotRequest{Name: name}, s.stub.GetSnapshot)
}

// Entries lists the files and folders in a folder of a snapshot. To read a file, call Content.Read with
// Snapshot.
func (s *Snapshots) Entries(ctx context.Context, request *pb.ListSnapshotEntriesRequest) (*pb.ListSnapshotEntriesResponse, error) {
	return read(ctx, s.caller, request, s.stub.ListSnapshotEntries)
}

// Diff compares a snapshot with a later one, or with the current state.
func (s *Snapshots) Diff(ctx context.Context, request *pb.DiffSnapshotsRequest) (*pb.DiffSnapshotsResponse, error) {
	return read(ctx, s.caller, request, s.stub.DiffSnapshots)
}

// Restore restores a folder from a snapshot: changed files get a new version, added ones go to the trash.
func (s *Snapshots) Restore(ctx context.Context, request *pb.RestoreSnapshotRequest) (*pb.RestoreSnapshotResponse, error) {
	return write(ctx, s.caller, request, s.stub.RestoreSnapshot)
}

// Delete deletes a snapshot, and content that no other snapshot needs.
func (s *Snapshots) Delete(ctx context.Context, name string) (*pb.DeleteSnapshotResponse, error) {
	return write(ctx, s.caller, &pb.DeleteSnapshotRequest{Name: name}, s.stub.DeleteSnapshot)
}
