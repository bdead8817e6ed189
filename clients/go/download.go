package ctxdb

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Download is a stream of bytes from the server.
type Download struct {
	// ContentType is the media type.
	ContentType string

	first  *pb.FileChunk
	stream grpc.ServerStreamingClient[pb.FileChunk]
	cancel context.CancelFunc
}

func download[Q proto.Message](
	ctx context.Context, c *caller, request Q, call unary[Q, grpc.ServerStreamingClient[pb.FileChunk]],
) (*Download, error) {
	first, stream, cancel, err := opened(ctx, c, request, call, c.settings.retries)
	if err != nil {
		return nil, err
	}
	return &Download{ContentType: first.GetContentType(), first: first, stream: stream, cancel: cancel}, nil
}

// Pieces yields the bytes in order, once. Leaving the loop early cancels the call; an error is yielded last.
func (d *Download) Pieces() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		defer d.Close()
		for body, err := d.first, error(nil); ; body, err = d.stream.Recv() {
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, streamError(d.stream, err))
				return
			}
			if len(body.GetData()) > 0 && !yield(body.GetData(), nil) {
				return
			}
		}
	}
}

// WriteTo writes all bytes. With it, a Download is an io.WriterTo.
func (d *Download) WriteTo(w io.Writer) (int64, error) {
	size := int64(0)
	for piece, err := range d.Pieces() {
		if err != nil {
			return size, err
		}
		written, err := w.Write(piece)
		size += int64(written)
		if err != nil {
			return size, err
		}
	}
	return size, nil
}

// Close cancels the rest of the download.
func (d *Download) Close() { d.cancel() }

// save writes to a temporary file next to the path and renames it at the end, so that nobody sees half a file.
func (d *Download) save(path string) (size int64, err error) {
	defer d.Close()
	part, err := os.OpenFile(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+newKey()+".part"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return 0, err
	}
	size, err = d.WriteTo(part)
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		os.Remove(part.Name())
		return 0, err
	}
	return size, nil
}
