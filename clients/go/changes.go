package ctxdb

import (
	"context"
	"errors"
	"io"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Changes are what changes in the tree, in the order of commits.
type Changes struct {
	caller *caller
	stub   pb.ChangeServiceClient
}

// List gives one page; its cursor goes on with what comes later.
func (c *Changes) List(ctx context.Context, request *pb.ListChangesRequest) (*pb.ListChangesResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListChanges)
}

// Watch gives the changes as they are committed, until the context ends. A lost connection is made again with the cursor of the last
// event, which begins with another "start". A loop that ends early cancels the call; an error is the last thing it gives.
func (c *Changes) Watch(ctx context.Context, request *pb.WatchChangesRequest) iter.Seq2[*pb.WatchChangesResponse, error] {
	request = proto.CloneOf(request)
	return func(yield func(*pb.WatchChangesResponse, error) bool) {
		fresh := attempts{left: c.caller.settings.retries, pause: firstPause}
		for left := fresh; ; {
			before := request.GetCursor()
			err := c.follow(ctx, request, yield)
			if err == nil {
				return
			}
			if request.GetCursor() != before {
				left = fresh
			}
			// one stream has a deadline, so that a connection that died unnoticed does not last
			if failed, _ := err.(*Error); failed != nil && failed.Code == DeadlineExceeded && ctx.Err() == nil {
				continue
			}
			if err := left.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// follow gives the events of one stream, and keeps the cursor of the last one in the request; nil where the stream has come to its
// end, or the loop has.
func (c *Changes) follow(
	ctx context.Context, request *pb.WatchChangesRequest, yield func(*pb.WatchChangesResponse, error) bool,
) error {
	event, stream, cancel, err := opened(ctx, c.caller, request, c.stub.WatchChanges, 0)
	if err != nil {
		return err
	}
	defer cancel()
	for ; err == nil; event, err = stream.Recv() {
		request.Cursor = proto.String(event.GetCursor())
		if !yield(event, nil) {
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return streamError(stream, err)
}
