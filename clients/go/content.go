package ctxdb

import (
	"context"
	"strings"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Content is the content of files and folders, in three layers: content, overview, abstract.
type Content struct {
	caller *caller
	stub   pb.ContentServiceClient
}

// Text is a file as text, with the hash of its content for IfMatch of a WriteContentRequest.
type Text struct{ Content, ETag string }

// Read returns a file as text, or some of its lines. Download binary and very large files instead.
func (c *Content) Read(ctx context.Context, request *pb.ReadContentRequest) (*Text, error) {
	answer, header, err := repeated(ctx, c.caller, request, c.stub.ReadContent, c.caller.settings.retries)
	if err != nil {
		return nil, err
	}
	return &Text{Content: answer.GetContent(), ETag: strings.Trim(strings.Join(header.Get("etag"), ""), `"`)}, nil
}

// Abstract returns one sentence about a file or folder. FailedPrecondition while it is not ready yet.
func (c *Content) Abstract(ctx context.Context, uri string) (string, error) {
	answer, err := read(ctx, c.caller, &pb.GetAbstractRequest{Uri: uri}, c.stub.GetAbstract)
	return answer.GetAbstract(), err
}

// Overview returns a description of medium length. FailedPrecondition while it is not ready yet.
func (c *Content) Overview(ctx context.Context, uri string) (string, error) {
	answer, err := read(ctx, c.caller, &pb.GetOverviewRequest{Uri: uri}, c.stub.GetOverview)
	return answer.GetOverview(), err
}

// Chunks returns the chunks of a file or folder in the search index.
func (c *Content) Chunks(ctx context.Context, request *pb.ListChunksRequest) (*pb.ListChunksResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListChunks)
}

// History returns the versions of a file, newest first.
func (c *Content) History(ctx context.Context, request *pb.ListVersionsRequest) (*pb.ListVersionsResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListVersions)
}

// Diff compares two versions of a text file; by default the current version and the one before.
func (c *Content) Diff(ctx context.Context, request *pb.DiffVersionsRequest) (*pb.DiffVersionsResponse, error) {
	return read(ctx, c.caller, request, c.stub.DiffVersions)
}

// Restore restores the content of an earlier version of a file, as a new version.
func (c *Content) Restore(ctx context.Context, request *pb.RestoreVersionRequest) (*pb.RestoreVersionResponse, error) {
	return write(ctx, c.caller, request, c.stub.RestoreVersion)
}

// Write writes a text file, by mode "replace" (the default), "append" or "create".
func (c *Content) Write(ctx context.Context, request *pb.WriteContentRequest) (*pb.WriteContentResponse, error) {
	return write(ctx, c.caller, request, c.stub.WriteContent)
}

// WriteMany writes several text files in one transaction, either all or none.
func (c *Content) WriteMany(ctx context.Context, request *pb.WriteFilesRequest) (*pb.WriteFilesResponse, error) {
	return write(ctx, c.caller, request, c.stub.WriteFiles)
}

// Download streams the bytes of a file. Close it, or read it to its end.
func (c *Content) Download(ctx context.Context, uri string) (*Download, error) {
	return download(ctx, c.caller, &pb.DownloadContentRequest{Uri: uri}, c.stub.DownloadContent)
}

// DownloadVersion streams the bytes of a version of a file. Close it, or read it to its end.
func (c *Content) DownloadVersion(ctx context.Context, uri string, version uint32) (*Download, error) {
	return download(ctx, c.caller, &pb.DownloadContentRequest{Uri: uri, Version: &version}, c.stub.DownloadContent)
}

// DownloadTo downloads into a local file, completely or not at all, and returns the number of bytes.
func (c *Content) DownloadTo(ctx context.Context, uri, path string) (int64, error) {
	found, err := c.Download(ctx, uri)
	if err != nil {
		return 0, err
	}
	return found.save(path)
}
