package ctxdb

import (
	"context"
	"errors"
	"io"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Changes are the changes of files and folders, in commit order.
type Changes struct {
	caller *caller
	stub   pb.ChangeServiceClient
}

// List returns a page of changes. Its cursor continues with later changes.
func (c *Changes) List(ctx context.Context, request *pb.ListChangesRequest) (*pb.ListChangesResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListChanges)
}

// Watch yields changes as they are committed, until the context ends. After a lost connection it reconnects with
// the cursor of the last event, which yields another "start" event. Leaving the loop early cancels the call; an
// error is yielded last.
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
			// each stream has a deadline, in case its connection dies unnoticed
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

// follow yields the events of one stream and stores the cursor of the last one in the request. It returns nil at
// the end of the stream or of the loop.
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
