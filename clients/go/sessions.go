package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Sessions are the caller's conversations, from which memories are extracted. Other users' sessions are not
// found.
type Sessions struct {
	caller *caller
	stub   pb.SessionServiceClient
}

// Create starts a session, with an id of your choice or a new one.
func (s *Sessions) Create(ctx context.Context, request *pb.CreateSessionRequest) (*pb.CreateSessionResponse, error) {
	return write(ctx, s.caller, request, s.stub.CreateSession)
}

// List returns a page of sessions, most recently changed first.
func (s *Sessions) List(ctx context.Context, request *pb.ListSessionsRequest) (*pb.ListSessionsResponse, error) {
	return read(ctx, s.caller, request, s.stub.ListSessions)
}

// ListAll yields all sessions; the limit of the request applies to each page.
func (s *Sessions) ListAll(ctx context.Context, request *pb.ListSessionsRequest) iter.Seq2[*pb.SessionSummary, error] {
	request = proto.CloneOf(request)
	offset, first := request.GetOffset(), request.Cursor
	return each(request.Cursor, func(cursor *string) (*pb.ListSessionsResponse, error) {
		request.Cursor, request.Offset = cursor, offset
		if cursor != first {
			// the server counts an offset from the cursor: each page would leave out as many again
			request.Offset = 0
		}
		return s.List(ctx, request)
	}, (*pb.ListSessionsResponse).GetSessions)
}

// Get returns one session.
func (s *Sessions) Get(ctx context.Context, id string) (*pb.GetSessionResponse, error) {
	return read(ctx, s.caller, &pb.GetSessionRequest{SessionId: id}, s.stub.GetSession)
}

// Delete deletes messages, archives and tool records. Extracted memories stay.
func (s *Sessions) Delete(ctx context.Context, id string) (*pb.DeleteSessionResponse, error) {
	return write(ctx, s.caller, &pb.DeleteSessionRequest{SessionId: id}, s.stub.DeleteSession)
}

// DeleteAndForget deletes a session and the memories extracted from it. The task in the response ends when the
// disk is erased.
func (s *Sessions) DeleteAndForget(ctx context.Context, id string) (*pb.DeleteSessionResponse, error) {
	return write(ctx, s.caller, &pb.DeleteSessionRequest{SessionId: id, Forget: true}, s.stub.DeleteSession)
}

// AddMessage appends a message of "user" or "assistant", with plain content or parts.
func (s *Sessions) AddMessage(ctx context.Context, request *pb.AddMessageRequest) (*pb.AddMessageResponse, error) {
	return write(ctx, s.caller, request, s.stub.AddMessage)
}

// AddMessages appends several messages in one transaction, either all or none.
func (s *Sessions) AddMessages(ctx context.Context, request *pb.AddMessagesRequest) (*pb.AddMessagesResponse, error) {
	return write(ctx, s.caller, request, s.stub.AddMessages)
}

// Used records contexts and a skill that were used; the next commit counts them.
func (s *Sessions) Used(ctx context.Context, request *pb.RecordUsageRequest) (*pb.RecordUsageResponse, error) {
	return write(ctx, s.caller, request, s.stub.RecordUsage)
}

// Commit archives the messages and extracts memories. If Wait is false, a task does this after the call.
func (s *Sessions) Commit(ctx context.Context, request *pb.CommitSessionRequest) (*pb.CommitSessionResponse, error) {
	return write(ctx, s.caller, request, s.stub.CommitSession)
}

// Context returns the context of a session for a model, within a token budget.
func (s *Sessions) Context(ctx context.Context, request *pb.GetSessionContextRequest) (*pb.GetSessionContextResponse, error) {
	return read(ctx, s.caller, request, s.stub.GetSessionContext)
}
