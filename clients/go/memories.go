package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Memories are single memories of the caller: facts and episodes. Other users' memories are not found.
type Memories struct {
	caller *caller
	stub   pb.MemoryServiceClient
}

// Create stores a statement word for word. If it is already known, Created is false.
func (m *Memories) Create(ctx context.Context, request *pb.CreateMemoryRequest) (*pb.CreateMemoryResponse, error) {
	return write(ctx, m.caller, request, m.stub.CreateMemory)
}

// List returns a page of memories: facts, then episodes.
func (m *Memories) List(ctx context.Context, request *pb.ListMemoriesRequest) (*pb.ListMemoriesResponse, error) {
	return read(ctx, m.caller, request, m.stub.ListMemories)
}

// ListAll yields all memories; the limit of the request applies to each page.
func (m *Memories) ListAll(ctx context.Context, request *pb.ListMemoriesRequest) iter.Seq2[*pb.Memory, error] {
	request = proto.CloneOf(request)
	return each(request.Cursor, func(cursor *string) (*pb.ListMemoriesResponse, error) {
		request.Cursor = cursor
		return m.List(ctx, request)
	}, (*pb.ListMemoriesResponse).GetMemories)
}

// Get returns one memory.
func (m *Memories) Get(ctx context.Context, id string) (*pb.GetMemoryResponse, error) {
	return read(ctx, m.caller, &pb.GetMemoryRequest{MemoryId: id}, m.stub.GetMemory)
}

// Update changes a fact. Its id stays the same; the previous statement moves to the history.
func (m *Memories) Update(ctx context.Context, request *pb.UpdateMemoryRequest) (*pb.UpdateMemoryResponse, error) {
	return write(ctx, m.caller, request, m.stub.UpdateMemory)
}

// Delete deletes a memory. The messages it comes from stay in the archive of their session.
func (m *Memories) Delete(ctx context.Context, id string) (*pb.DeleteMemoryResponse, error) {
	return write(ctx, m.caller, &pb.DeleteMemoryRequest{MemoryId: id}, m.stub.DeleteMemory)
}

// Forget removes memories for good by URI, query or subject, with the sentences they come from. The task in the
// response ends when the disk is erased. With DryRun, it only lists them.
func (m *Memories) Forget(ctx context.Context, request *pb.ForgetRequest) (*pb.ForgetResponse, error) {
	return write(ctx, m.caller, request, m.stub.Forget)
}

// History returns a fact and the facts it superseded, newest first.
func (m *Memories) History(ctx context.Context, id string) (*pb.GetMemoryHistoryResponse, error) {
	return read(ctx, m.caller, &pb.GetMemoryHistoryRequest{MemoryId: id}, m.stub.GetMemoryHistory)
}
