package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Memories are the caller's facts and episodes, one by one; one of somebody else is not found.
type Memories struct {
	caller *caller
	stub   pb.MemoryServiceClient
}

// Create keeps a statement word for word; one that is known already says so in Created.
func (m *Memories) Create(ctx context.Context, request *pb.CreateMemoryRequest) (*pb.CreateMemoryResponse, error) {
	return write(ctx, m.caller, request, m.stub.CreateMemory)
}

// List gives one page: facts, then episodes.
func (m *Memories) List(ctx context.Context, request *pb.ListMemoriesRequest) (*pb.ListMemoriesResponse, error) {
	return read(ctx, m.caller, request, m.stub.ListMemories)
}

// ListAll gives every memory; the limit of the request is that of a page.
func (m *Memories) ListAll(ctx context.Context, request *pb.ListMemoriesRequest) iter.Seq2[*pb.Memory, error] {
	request = proto.CloneOf(request)
	return each(func(cursor *string) (*pb.ListMemoriesResponse, error) {
		request.Cursor = cursor
		return m.List(ctx, request)
	}, (*pb.ListMemoriesResponse).GetMemories)
}

// Get gives one memory.
func (m *Memories) Get(ctx context.Context, id string) (*pb.GetMemoryResponse, error) {
	return read(ctx, m.caller, &pb.GetMemoryRequest{MemoryId: id}, m.stub.GetMemory)
}

// Update changes a fact: its id stays, the statement before goes into the history.
func (m *Memories) Update(ctx context.Context, request *pb.UpdateMemoryRequest) (*pb.UpdateMemoryResponse, error) {
	return write(ctx, m.caller, request, m.stub.UpdateMemory)
}

// Delete deletes one memory; what was said stays in the archive of its session.
func (m *Memories) Delete(ctx context.Context, id string) (*pb.DeleteMemoryResponse, error) {
	return write(ctx, m.caller, &pb.DeleteMemoryRequest{MemoryId: id}, m.stub.DeleteMemory)
}

// Forget forgets for good by URI, query or subject, in memories and in what was said. The task of the answer ends
// when the disk is clear; DryRun lists what would go.
func (m *Memories) Forget(ctx context.Context, request *pb.ForgetRequest) (*pb.ForgetResponse, error) {
	return write(ctx, m.caller, request, m.stub.Forget)
}

// History gives a fact and what it has superseded, the newest first.
func (m *Memories) History(ctx context.Context, id string) (*pb.GetMemoryHistoryResponse, error) {
	return read(ctx, m.caller, &pb.GetMemoryHistoryRequest{MemoryId: id}, m.stub.GetMemoryHistory)
}
