package ctxdb

import (
	"context"
	"net"
	"path"
	"slices"
	"sync"
	"testing"
	"time"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// refusing answers UNAVAILABLE the given number of times, then an empty message, and records the requests.
type refusing struct {
	pb.UnimplementedFilesystemServiceServer
	pb.UnimplementedContentServiceServer

	refusals   int
	retryAfter string
	mutex      sync.Mutex
	asked      []string
	keys       []string
}

func (r *refusing) answer(ctx context.Context, request any, info *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.asked = append(r.asked, path.Base(info.FullMethod))
	if write, ok := request.(*pb.WriteContentRequest); ok {
		r.keys = append(r.keys, write.GetIdempotencyKey())
	}
	if len(r.asked) > r.refusals {
		return map[string]proto.Message{"StatNode": &pb.StatNodeResponse{}, "WriteContent": &pb.WriteContentResponse{}}[path.Base(info.FullMethod)], nil
	}
	_ = grpc.SetTrailer(ctx, metadata.Pairs("retry-after", r.retryAfter, "x-request-id", "r1"))
	return nil, status.Error(codes.Unavailable, "not now")
}

func refusingClient(t *testing.T, server *refusing) *Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	serving := grpc.NewServer(grpc.UnaryInterceptor(server.answer))
	pb.RegisterFilesystemServiceServer(serving, server)
	pb.RegisterContentServiceServer(serving, server)
	go func() { _ = serving.Serve(listener) }()
	t.Cleanup(serving.Stop)
	return connected(t, listener.Addr().String())
}

func TestAReadIsRepeated(t *testing.T) {
	server := &refusing{refusals: 2, retryAfter: "0"}
	_, err := refusingClient(t, server).FS.Stat(context.Background(), "ctx://resources")
	must(t, err)
	if len(server.asked) != 3 {
		t.Errorf("asked %v", server.asked)
	}
}

func TestAWriteIsRepeatedUnderOneKey(t *testing.T) {
	server := &refusing{refusals: 2, retryAfter: "0"}
	request := &pb.WriteContentRequest{Uri: "ctx://resources/a.md", Content: proto.String("a")}
	_, err := refusingClient(t, server).Content.Write(context.Background(), request)
	must(t, err)
	if len(server.keys) != 3 || server.keys[0] == "" || len(slices.Compact(server.keys)) != 1 {
		t.Errorf("keys %q", server.keys)
	}
	if request.IdempotencyKey != nil {
		t.Error("the request of the caller has changed")
	}
}

func TestAWriteWithoutAKeyIsNeverRepeated(t *testing.T) {
	server := &refusing{refusals: 2, retryAfter: "0"}
	_, err := refusingClient(t, server).FS.Rm(context.Background(), &pb.RemoveNodeRequest{Uri: "ctx://resources/a.md"})
	if CodeOf(err) != Unavailable || len(server.asked) != 1 {
		t.Errorf("asked %v, got %v", server.asked, err)
	}
}

func TestACallGivesUpAfterItsRetriesOrItsDeadline(t *testing.T) {
	server := &refusing{refusals: 99, retryAfter: "0"}
	client := refusingClient(t, server)
	if _, err := client.FS.Stat(context.Background(), "ctx://resources"); CodeOf(err) != Unavailable || len(server.asked) != 4 {
		t.Errorf("after the retries: asked %v, got %v", server.asked, err)
	}
	server.retryAfter, server.asked = "30", nil
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := client.FS.Stat(ctx, "ctx://resources"); CodeOf(err) != Unavailable || len(server.asked) != 1 {
		t.Errorf("where the server wants more time than there is: asked %v, got %v", server.asked, err)
	}
}
