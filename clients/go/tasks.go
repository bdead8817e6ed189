package ctxdb

import (
	"context"
	"errors"
	"io"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Tasks are work that continues after the call that started it; users only see their own.
type Tasks struct {
	caller *caller
	stub   pb.TaskServiceClient
}

// Progress is the current stage of a task, and its completed and total steps. Total may grow, and is 0 while unknown.
type Progress struct {
	Stage       string
	Done, Total uint32
}

// Get returns one task.
func (t *Tasks) Get(ctx context.Context, id string) (*pb.Task, error) {
	return read(ctx, t.caller, &pb.GetTaskRequest{TaskId: id}, t.stub.GetTask)
}

// List returns a page of tasks, newest first.
func (t *Tasks) List(ctx context.Context, request *pb.ListTasksRequest) (*pb.ListTasksResponse, error) {
	return read(ctx, t.caller, request, t.stub.ListTasks)
}

// ListAll yields all tasks; the limit of the request applies to each page.
func (t *Tasks) ListAll(ctx context.Context, request *pb.ListTasksRequest) iter.Seq2[*pb.Task, error] {
	request = proto.CloneOf(request)
	return each(request.Cursor, func(cursor *string) (*pb.ListTasksResponse, error) {
		request.Cursor = cursor
		return t.List(ctx, request)
	}, (*pb.ListTasksResponse).GetTasks)
}

// Cancel cancels an unfinished task. What it has already written stays.
func (t *Tasks) Cancel(ctx context.Context, id string) (*pb.Task, error) {
	return write(ctx, t.caller, &pb.CancelTaskRequest{TaskId: id}, t.stub.CancelTask)
}

// Watch yields the task: its current state, then each change, until it has ended. Leaving the loop early cancels
// the call; an error is yielded last.
func (t *Tasks) Watch(ctx context.Context, id string) iter.Seq2[*pb.Task, error] {
	return func(yield func(*pb.Task, error) bool) {
		ctx, cancel := withDeadline(ctx, t.caller.settings.longDeadline)
		defer cancel()
		for attempts := (attempts{left: t.caller.settings.retries, pause: firstPause}); ; {
			err := t.follow(ctx, id, yield)
			if err == nil {
				return
			}
			if err := attempts.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// follow yields the states sent on one stream, the first of which is the current one. It returns nil at the end
// of the stream or of the loop.
func (t *Tasks) follow(ctx context.Context, id string, yield func(*pb.Task, error) bool) error {
	task, stream, cancel, err := opened(ctx, t.caller, &pb.WatchTaskRequest{TaskId: id}, t.stub.WatchTask, 0)
	if err != nil {
		return err
	}
	defer cancel()
	for ; err == nil; task, err = stream.Recv() {
		if !yield(task, nil) {
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return streamError(stream, err)
}

// Wait waits until the task is completed and calls onProgress (may be nil) at each step. It returns the error of
// a task that failed or was cancelled.
func (t *Tasks) Wait(ctx context.Context, id string, onProgress func(Progress)) (*pb.Task, error) {
	var last *pb.Task
	for task, err := range t.Watch(ctx, id) {
		if err != nil {
			return last, err
		}
		if last = task; onProgress != nil {
			onProgress(Progress{Stage: task.GetStage(), Done: task.GetProgress().GetDone(), Total: task.GetProgress().GetTotal()})
		}
	}
	if status := last.GetStatus(); status == "failed" || status == "cancelled" {
		return last, taskError(last.GetError())
	}
	return last, nil
}
