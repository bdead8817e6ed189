package ctxdb

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc"
)

// storing records the size of each upload that reaches its end.
type storing struct {
	pb.UnimplementedResourceServiceServer

	sizes chan int
}

func (s *storing) UploadFile(stream grpc.ClientStreamingServer[pb.UploadFileRequest, pb.UploadFileResponse]) error {
	for size := 0; ; {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			s.sizes <- size
			return stream.SendAndClose(&pb.UploadFileResponse{TempPath: "upload"})
		}
		if err != nil {
			return err
		}
		size += len(request.GetChunk())
	}
}

func TestAnUploadIsStoredWholeOrNotAtAll(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server, serving := &storing{sizes: make(chan int, 2)}, grpc.NewServer()
	pb.RegisterResourceServiceServer(serving, server)
	go func() { _ = serving.Serve(listener) }()
	t.Cleanup(serving.Stop)
	resources := connected(t, listener.Addr().String()).Resources
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	header := &pb.UploadHeader{Name: "a.txt"}
	text := strings.Repeat("a", chunkBytes+4)
	_, err = resources.Upload(ctx, header, iotest.HalfReader(strings.NewReader(text)))
	must(t, err)
	if size := <-server.sizes; size != len(text) {
		t.Errorf("stored %d of %d bytes", size, len(text))
	}
	// The body of an interrupted download returns this error.
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := resources.Upload(ctx, header, broken); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if len(server.sizes) != 0 {
		t.Error("the beginning of a broken source was stored as a whole file")
	}
}
