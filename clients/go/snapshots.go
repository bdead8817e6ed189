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

// Create names the present state of a folder, or of the workspace; nothing is copied.
func (s *Snapshots) Create(ctx context.Context, request *pb.CreateSnapshotRequest) (*pb.Snapshot, error) {
	return write(ctx, s.caller, request, s.stub.CreateSnapshot)
}

// List gives a page of the snapshots, the newest first.
func (s *Snapshots) List(ctx context.Context, request *pb.ListSnapshotsRequest) (*pb.ListSnapshotsResponse, error) {
	return read(ctx, s.caller, request, s.stub.ListSnapshots)
}

// Get gives one snapshot.
func (s *Snapshots) Get(ctx context.Context, name string) (*pb.Snapshot, error) {
	return read(ctx, s.caller, &pb.GetSnapshotRequest{Name: name}, s.stub.GetSnapshot)
}

// Entries gives the files and folders of a folder as they were. Content.Read reads one with its Snapshot.
func (s *Snapshots) Entries(ctx context.Context, request *pb.ListSnapshotEntriesRequest) (*pb.ListSnapshotEntriesResponse, error) {
	return read(ctx, s.caller, request, s.stub.ListSnapshotEntries)
}

// Diff compares a snapshot with a later one, or with the present.
func (s *Snapshots) Diff(ctx context.Context, request *pb.DiffSnapshotsRequest) (*pb.DiffSnapshotsResponse, error) {
	return read(ctx, s.caller, request, s.stub.DiffSnapshots)
}

// Restore makes a folder as it was: changed files get a new version, added ones go to the trash.
func (s *Snapshots) Restore(ctx context.Context, request *pb.RestoreSnapshotRequest) (*pb.RestoreSnapshotResponse, error) {
	return write(ctx, s.caller, request, s.stub.RestoreSnapshot)
}

// Delete deletes a snapshot, with what only it kept.
func (s *Snapshots) Delete(ctx context.Context, name string) (*pb.DeleteSnapshotResponse, error) {
	return write(ctx, s.caller, &pb.DeleteSnapshotRequest{Name: name}, s.stub.DeleteSnapshot)
}
