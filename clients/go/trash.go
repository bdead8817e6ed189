package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Trash holds what was deleted or replaced, until it expires.
type Trash struct {
	caller *caller
	stub   pb.TrashServiceClient
}

// List gives a page of the trash, the newest item first.
func (t *Trash) List(ctx context.Context, request *pb.ListTrashRequest) (*pb.ListTrashResponse, error) {
	return read(ctx, t.caller, request, t.stub.ListTrash)
}

// Restore puts an item back to where it was, or to another place.
func (t *Trash) Restore(ctx context.Context, request *pb.RestoreTrashRequest) (*pb.RestoreTrashResponse, error) {
	return write(ctx, t.caller, request, t.stub.RestoreTrash)
}

// Delete deletes one item for good.
func (t *Trash) Delete(ctx context.Context, id string) (*pb.DeleteTrashResponse, error) {
	return write(ctx, t.caller, &pb.DeleteTrashRequest{TrashId: id}, t.stub.DeleteTrash)
}

// Empty deletes for good what was removed from the caller's own spaces, and by the caller from shared places.
func (t *Trash) Empty(ctx context.Context, request *pb.EmptyTrashRequest) (*pb.EmptyTrashResponse, error) {
	return write(ctx, t.caller, request, t.stub.EmptyTrash)
}
