package ctxdb

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// chunkBytes is the maximum size of one message of an upload.
const chunkBytes = 1 << 20

// Resources imports, uploads and refreshes content below ctx://resources.
type Resources struct {
	caller *caller
	stub   pb.ResourceServiceClient
}

// Add imports a source that the server can reach (Path: a path on its disk, a URL or a repository), or an upload
// (TempPath). With Wait, layers and vectors are ready when the call returns; without it, a task completes large
// imports.
func (r *Resources) Add(ctx context.Context, request *pb.AddResourceRequest) (*pb.AddResourceResponse, error) {
	return write(ctx, r.caller, request, r.stub.AddResource)
}

// AddPath uploads a local file or folder and imports it with the options of the request (nil for the defaults).
// A folder is sent as a zip, which is created during the upload. Hidden files, symbolic links, dependency
// folders and files named in a .gitignore are not sent.
func (r *Resources) AddPath(ctx context.Context, path string, request *pb.AddResourceRequest) (*pb.AddResourceResponse, error) {
	upload, err := r.UploadPath(ctx, path)
	if err != nil {
		return nil, err
	}
	if request == nil {
		request = &pb.AddResourceRequest{}
	}
	request = proto.CloneOf(request)
	request.TempPath = &upload.TempPath
	return r.Add(ctx, request)
}

// Upload stores bytes for one hour, under a name. Pass TempPath of the response to Add, Skills.Add or
// Packs.Import. An error of the reader is returned unchanged.
func (r *Resources) Upload(ctx context.Context, header *pb.UploadHeader, source io.Reader) (*pb.UploadFileResponse, error) {
	ctx, cancel := r.caller.begin(ctx, r.caller.settings.longDeadline)
	defer cancel()
	stream, err := r.stub.UploadFile(ctx)
	if err != nil {
		return nil, toError(err)
	}
	err = stream.Send(&pb.UploadFileRequest{Part: &pb.UploadFileRequest_Header{Header: header}})
	for buffer, end := make([]byte, chunkBytes), error(nil); err == nil && end == nil; {
		var size int
		if size, end = fill(source, buffer); end != nil && end != io.EOF {
			return nil, end
		}
		if size > 0 {
			err = stream.Send(&pb.UploadFileRequest{Part: &pb.UploadFileRequest_Chunk{Chunk: buffer[:size]}})
		}
	}
	// If sending fails, the server has already responded: its response follows.
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return nil, streamError(stream, err)
	}
	return answer, nil
}

// fill reads until the buffer is full or the source ends (io.EOF) or fails. Unlike io.ReadFull, it does not use
// io.ErrUnexpectedEOF for a short last piece, because a source that breaks off returns it too, such as the body
// of an interrupted download.
func fill(source io.Reader, buffer []byte) (size int, err error) {
	for size < len(buffer) && err == nil {
		var read int
		read, err = source.Read(buffer[size:])
		size += read
	}
	return size, err
}

// UploadPath uploads a local file, or a folder as a zip.
func (r *Resources) UploadPath(ctx context.Context, path string) (*pb.UploadFileResponse, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		reader, writer := io.Pipe()
		defer reader.Close()
		go func() { writer.CloseWithError(zipFolder(writer, path)) }()
		return r.Upload(ctx, &pb.UploadHeader{Name: info.Name() + ".zip"}, reader)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("ctxdb: " + path + " is neither a file nor a folder")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return r.Upload(ctx, &pb.UploadHeader{Name: info.Name()}, file)
}

// Refresh imports a resource again from its source. Unchanged files cost nothing.
func (r *Resources) Refresh(ctx context.Context, request *pb.RefreshResourceRequest) (*pb.AddResourceResponse, error) {
	return write(ctx, r.caller, request, r.stub.RefreshResource)
}

// Schedule sets, changes, pauses or resumes the schedule by which a resource is imported again.
func (r *Resources) Schedule(ctx context.Context, request *pb.ScheduleRefreshRequest) (*pb.RefreshSchedule, error) {
	return write(ctx, r.caller, request, r.stub.ScheduleRefresh)
}

// Schedules returns the schedules of resources that the caller may see, sorted by URI.
func (r *Resources) Schedules(
	ctx context.Context, request *pb.ListRefreshSchedulesRequest,
) (*pb.ListRefreshSchedulesResponse, error) {
	return read(ctx, r.caller, request, r.stub.ListRefreshSchedules)
}

// RunSchedule makes a scheduled refresh due now. It returns before it has run.
func (r *Resources) RunSchedule(ctx context.Context, uri string) (*pb.RefreshSchedule, error) {
	return write(ctx, r.caller, &pb.RunRefreshScheduleRequest{Uri: uri}, r.stub.RunRefreshSchedule)
}

// DeleteSchedule deletes the schedule of a resource, but not the resource.
func (r *Resources) DeleteSchedule(ctx context.Context, uri string) (*pb.DeleteRefreshScheduleResponse, error) {
	return write(ctx, r.caller, &pb.DeleteRefreshScheduleRequest{Uri: uri}, r.stub.DeleteRefreshSchedule)
}
