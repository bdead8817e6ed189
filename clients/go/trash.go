package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Trash contains deleted and replaced files and folders, until they expire.
type Trash struct {
	caller *caller
	stub   pb.TrashServiceClient
}

// List returns a page of the trash, newest item first.
func (t *Trash) List(ctx context.Context, request *pb.ListTrashRequest) (*pb.ListTrashResponse, error) {
	return read(ctx, t.caller, request, t.stub.ListTrash)
}

// Restore restores an item to its old URI, or to another one.
func (t *Trash) Restore(ctx context.Context, request *pb.RestoreTrashRequest) (*pb.RestoreTrashResponse, error) {
	return write(ctx, t.caller, request, t.stub.RestoreTrash)
}

// Delete deletes one item for good.
func (t *Trash) Delete(ctx context.Context, id string) (*pb.DeleteTrashResponse, error) {
	return write(ctx, t.caller, &pb.DeleteTrashRequest{TrashId: id}, t.stub.DeleteTrash)
}

// Empty deletes for good all items from the caller's own spaces, and items that the caller removed from shared
// folders.
func (t *Trash) Empty(ctx context.Context, request *pb.EmptyTrashRequest) (*pb.EmptyTrashResponse, error) {
	return write(ctx, t.caller, request, t.stub.EmptyTrash)
}
