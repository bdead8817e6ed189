package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Search searches in everything that the caller may see.
type Search struct {
	caller *caller
	stub   pb.SearchServiceClient
}

// Find searches by meaning and words. It returns hits in memories, resources and skills, by default at most 10
// in total.
func (s *Search) Find(ctx context.Context, request *pb.FindRequest) (*pb.FindResponse, error) {
	return read(ctx, s.caller, request, s.stub.Find)
}

// Search is like Find, but first turns the question into several queries, using the history of a session if one
// is named; it also returns these queries.
func (s *Search) Search(ctx context.Context, request *pb.SearchRequest) (*pb.SearchResponse, error) {
	return read(ctx, s.caller, request, s.stub.Search)
}

// Recall returns context for a model as text to paste into its prompt. With a session, the text grows from turn
// to turn: the same turn gets the same bytes, a new turn appends.
func (s *Search) Recall(ctx context.Context, request *pb.RecallRequest) (*pb.RecallResponse, error) {
	return read(ctx, s.caller, request, s.stub.Recall)
}

// Grep returns a page of lines that match a regular expression (RE2 syntax).
func (s *Search) Grep(ctx context.Context, request *pb.GrepRequest) (*pb.GrepResponse, error) {
	return read(ctx, s.caller, request, s.stub.Grep)
}

// GrepAll yields all matching lines; the limit of the request applies to each page.
func (s *Search) GrepAll(ctx context.Context, request *pb.GrepRequest) iter.Seq2[*pb.GrepMatch, error] {
	request = proto.CloneOf(request)
	return each(request.Cursor, func(cursor *string) (*pb.GrepResponse, error) {
		request.Cursor = cursor
		return s.Grep(ctx, request)
	}, (*pb.GrepResponse).GetMatches)
}

// Glob returns a page of URIs whose path below the URI of the request matches: * ? [abc] {a,b} within a segment,
// ** across segments.
func (s *Search) Glob(ctx context.Context, request *pb.GlobRequest) (*pb.GlobResponse, error) {
	return read(ctx, s.caller, request, s.stub.Glob)
}

// GlobAll yields all matching URIs; the limit of the request applies to each page.
func (s *Search) GlobAll(ctx context.Context, request *pb.GlobRequest) iter.Seq2[string, error] {
	request = proto.CloneOf(request)
	return each(request.Cursor, func(cursor *string) (*pb.GlobResponse, error) {
		request.Cursor = cursor
		return s.Glob(ctx, request)
	}, (*pb.GlobResponse).GetMatches)
}
