package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Search finds what is in the tree that the caller may see.
type Search struct {
	caller *caller
	stub   pb.SearchServiceClient
}

// Find searches by meaning and words: hits in memories, resources and skills, 10 over the three lists without a limit.
func (s *Search) Find(ctx context.Context, request *pb.FindRequest) (*pb.FindResponse, error) {
	return read(ctx, s.caller, request, s.stub.Find)
}

// Search searches with the intent and, where a session is named, with its history; it tells the queries it has planned.
func (s *Search) Search(ctx context.Context, request *pb.SearchRequest) (*pb.SearchResponse, error) {
	return read(ctx, s.caller, request, s.stub.Search)
}

// Recall gives what a model should know before it answers, as a text to paste. With a session the text goes on from turn to turn: the same
// turn gets the same bytes, a further one adds at the end.
func (s *Search) Recall(ctx context.Context, request *pb.RecallRequest) (*pb.RecallResponse, error) {
	return read(ctx, s.caller, request, s.stub.Recall)
}

// Grep gives one page of the lines that match a regular expression (RE2).
func (s *Search) Grep(ctx context.Context, request *pb.GrepRequest) (*pb.GrepResponse, error) {
	return read(ctx, s.caller, request, s.stub.Grep)
}

// GrepAll gives every matching line; the limit of the request is that of a page.
func (s *Search) GrepAll(ctx context.Context, request *pb.GrepRequest) iter.Seq2[*pb.GrepMatch, error] {
	request = proto.CloneOf(request)
	return each(func(cursor *string) (*pb.GrepResponse, error) {
		request.Cursor = cursor
		return s.Grep(ctx, request)
	}, (*pb.GrepResponse).GetMatches)
}

// Glob gives one page of the URIs whose path below the request's matches: * ? [abc] {a,b} within a segment, ** across.
func (s *Search) Glob(ctx context.Context, request *pb.GlobRequest) (*pb.GlobResponse, error) {
	return read(ctx, s.caller, request, s.stub.Glob)
}

// GlobAll gives every URI that matches; the limit of the request is that of a page.
func (s *Search) GlobAll(ctx context.Context, request *pb.GlobRequest) iter.Seq2[string, error] {
	request = proto.CloneOf(request)
	return each(func(cursor *string) (*pb.GlobResponse, error) {
		request.Cursor = cursor
		return s.Glob(ctx, request)
	}, (*pb.GlobResponse).GetMatches)
}
