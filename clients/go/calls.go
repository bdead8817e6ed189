package ctxdb

import (
	"context"
	"crypto/rand"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	firstPause   = 200 * time.Millisecond
	longestPause = 5 * time.Second
	// waitMargin is the time that a call may take in addition to the time it asks the server to wait.
	waitMargin = 10 * time.Second
)

// caller makes calls. It sets the caller's identity, the deadline and the number of attempts.
type caller struct{ settings settings }

type unary[Q, R any] func(context.Context, Q, ...grpc.CallOption) (R, error)

// read makes a call that changes nothing. It is retried while the server is unavailable.
func read[Q proto.Message, R any](ctx context.Context, c *caller, request Q, call unary[Q, R]) (R, error) {
	answer, _, err := repeated(ctx, c, request, call, c.settings.retries)
	return answer, err
}

// write makes a call that changes something. It is only retried with an idempotency key, which is created here
// if the request has a field for it and none is set.
func write[Q proto.Message, R any](ctx context.Context, c *caller, request Q, call unary[Q, R]) (R, error) {
	retries := 0
	if field := fieldOf(request, "idempotency_key"); field != nil {
		retries = c.settings.retries
		if !request.ProtoReflect().Has(field) {
			request = proto.CloneOf(request)
			request.ProtoReflect().Set(field, protoreflect.ValueOfString(newKey()))
		}
	}
	answer, _, err := repeated(ctx, c, request, call, retries)
	return answer, err
}

func repeated[Q proto.Message, R any](ctx context.Context, c *caller, request Q, call unary[Q, R], retries int) (R, metadata.MD, error) {
	ctx, cancel := c.begin(ctx, c.deadlineOf(request))
	defer cancel()
	for attempts := (attempts{left: retries, pause: firstPause}); ; {
		var header, trailer metadata.MD
		answer, err := call(ctx, request, grpc.Header(&header), grpc.Trailer(&trailer))
		if err == nil {
			return answer, header, nil
		}
		if err := attempts.wait(ctx, toError(err, header, trailer)); err != nil {
			return answer, header, err
		}
	}
}

// opened returns a server stream with its first message. The call is retried until there is one. The returned
// cancel function must be called in the end.
func opened[Q proto.Message, R any](
	ctx context.Context, c *caller, request Q, call unary[Q, grpc.ServerStreamingClient[R]], retries int,
) (*R, grpc.ServerStreamingClient[R], context.CancelFunc, error) {
	ctx, cancel := c.begin(ctx, c.settings.longDeadline)
	for attempts := (attempts{left: retries, pause: firstPause}); ; {
		var message *R
		stream, err := call(ctx, request)
		if err == nil {
			if message, err = stream.Recv(); err == nil {
				return message, stream, cancel, nil
			}
			err = streamError(stream, err)
		}
		if err := attempts.wait(ctx, toError(err)); err != nil {
			cancel()
			return nil, nil, nil, err
		}
	}
}

// streamError returns the error with which a stream ended; the metadata has arrived by then.
func streamError(stream grpc.ClientStream, err error) error {
	header, _ := stream.Header()
	return toError(err, header, stream.Trailer())
}

// begin sets the caller's identity, and the deadline if the context has none.
func (c *caller) begin(ctx context.Context, deadline time.Duration) (context.Context, context.CancelFunc) {
	outgoing, _ := metadata.FromOutgoingContext(ctx)
	return withDeadline(metadata.NewOutgoingContext(ctx, metadata.Join(outgoing, c.settings.caller)), deadline)
}

// withDeadline keeps the deadline of the context if it has one.
func withDeadline(ctx context.Context, deadline time.Duration) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, deadline)
}

// deadlineOf returns at least the time that the request lets the server wait.
func (c *caller) deadlineOf(request proto.Message) time.Duration {
	field := fieldOf(request, "timeout")
	if field == nil || !request.ProtoReflect().Has(field) {
		return c.settings.deadline
	}
	seconds := request.ProtoReflect().Get(field).Float()
	return max(c.settings.deadline, time.Duration(seconds*float64(time.Second))+waitMargin)
}

func fieldOf(request proto.Message, name protoreflect.Name) protoreflect.FieldDescriptor {
	return request.ProtoReflect().Descriptor().Fields().ByName(name)
}

// attempts are the remaining attempts of a call.
type attempts struct {
	left  int
	pause time.Duration
}

// wait pauses before the next attempt, or returns the error if there is none.
func (a *attempts) wait(ctx context.Context, err error) error {
	failed, _ := err.(*Error)
	if failed == nil || failed.Code != Unavailable || a.left == 0 {
		return err
	}
	pause := max(time.Duration(float64(a.pause)*(0.5+mathrand.Float64()/2)), failed.RetryAfter)
	if ends, has := ctx.Deadline(); has && time.Until(ends) <= pause {
		return err
	}
	a.left, a.pause = a.left-1, min(2*a.pause, longestPause)
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return toError(ctx.Err())
	}
}

// newKey returns 128 random bits.
func newKey() string { return rand.Text() }
