package ctxdb

import (
	"context"
	"net"
	"slices"
	"strconv"
	"testing"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// listing answers as the server does, with the sessions "0" to "9": it leaves out `offset` of them behind the cursor.
type listing struct {
	pb.UnimplementedSessionServiceServer
}

func (listing) ListSessions(_ context.Context, request *pb.ListSessionsRequest) (*pb.ListSessionsResponse, error) {
	from, _ := strconv.Atoi(request.GetCursor())
	from += int(request.GetOffset())
	answer := &pb.ListSessionsResponse{}
	for at := from; at < min(from+int(request.GetLimit()), 10); at++ {
		answer.Sessions = append(answer.Sessions, &pb.SessionSummary{SessionId: strconv.Itoa(at)})
	}
	if end := from + int(request.GetLimit()); end < 10 {
		answer.NextCursor = proto.String(strconv.Itoa(end))
	}
	return answer, nil
}

func TestAListGoesThroughAllPagesFromItsOffsetOrCursor(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	serving := grpc.NewServer()
	pb.RegisterSessionServiceServer(serving, listing{})
	go func() { _ = serving.Serve(listener) }()
	t.Cleanup(serving.Stop)
	client := connected(t, listener.Addr().String())
	for _, request := range []*pb.ListSessionsRequest{
		{Limit: proto.Uint32(2), Offset: 3},
		{Limit: proto.Uint32(2), Cursor: proto.String("3")},
	} {
		all := client.Sessions.ListAll(context.Background(), request)
		// twice: every loop starts anew
		for range 2 {
			var ids []string
			for session, err := range all {
				must(t, err)
				ids = append(ids, session.GetSessionId())
			}
			if !slices.Equal(ids, []string{"3", "4", "5", "6", "7", "8", "9"}) {
				t.Errorf("%v: got %v", request, ids)
			}
		}
	}
}
