package ctxdb

import (
	"context"
	"strings"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Content is what nodes hold, in three layers: content, overview, abstract.
type Content struct {
	caller *caller
	stub   pb.ContentServiceClient
}

// Text is a file as text, and the hash of its content for IfMatch of a WriteContentRequest.
type Text struct{ Content, ETag string }

// Read gives a file as text, or some lines of it. Binary and very large files have to be downloaded.
func (c *Content) Read(ctx context.Context, request *pb.ReadContentRequest) (*Text, error) {
	answer, header, err := repeated(ctx, c.caller, request, c.stub.ReadContent, c.caller.settings.retries)
	if err != nil {
		return nil, err
	}
	return &Text{Content: answer.GetContent(), ETag: strings.Trim(strings.Join(header.Get("etag"), ""), `"`)}, nil
}

// Abstract gives one sentence about a file or folder. FailedPrecondition while it is not made yet.
func (c *Content) Abstract(ctx context.Context, uri string) (string, error) {
	answer, err := read(ctx, c.caller, &pb.GetAbstractRequest{Uri: uri}, c.stub.GetAbstract)
	return answer.GetAbstract(), err
}

// Overview gives a description of medium length. FailedPrecondition while it is not made yet.
func (c *Content) Overview(ctx context.Context, uri string) (string, error) {
	answer, err := read(ctx, c.caller, &pb.GetOverviewRequest{Uri: uri}, c.stub.GetOverview)
	return answer.GetOverview(), err
}

// Chunks lists what the search index holds of a file or folder.
func (c *Content) Chunks(ctx context.Context, request *pb.ListChunksRequest) (*pb.ListChunksResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListChunks)
}

// History lists the versions of a file, the newest first.
func (c *Content) History(ctx context.Context, request *pb.ListVersionsRequest) (*pb.ListVersionsResponse, error) {
	return read(ctx, c.caller, request, c.stub.ListVersions)
}

// Diff compares two versions of a text file: by default the present one and the one before.
func (c *Content) Diff(ctx context.Context, request *pb.DiffVersionsRequest) (*pb.DiffVersionsResponse, error) {
	return read(ctx, c.caller, request, c.stub.DiffVersions)
}

// Restore gives a file the content of an earlier version, as a new version.
func (c *Content) Restore(ctx context.Context, request *pb.RestoreVersionRequest) (*pb.RestoreVersionResponse, error) {
	return write(ctx, c.caller, request, c.stub.RestoreVersion)
}

// Write writes a text file, by mode "replace" (the default), "append" or "create".
func (c *Content) Write(ctx context.Context, request *pb.WriteContentRequest) (*pb.WriteContentResponse, error) {
	return write(ctx, c.caller, request, c.stub.WriteContent)
}

// WriteMany writes several text files in one step: all of them, or none.
func (c *Content) WriteMany(ctx context.Context, request *pb.WriteFilesRequest) (*pb.WriteFilesResponse, error) {
	return write(ctx, c.caller, request, c.stub.WriteFiles)
}

// Download gives the bytes of a file. It has to be closed, or read to its end.
func (c *Content) Download(ctx context.Context, uri string) (*Download, error) {
	return download(ctx, c.caller, &pb.DownloadContentRequest{Uri: uri}, c.stub.DownloadContent)
}

// DownloadVersion gives the bytes of a version of a file. It has to be closed, or read to its end.
func (c *Content) DownloadVersion(ctx context.Context, uri string, version uint32) (*Download, error) {
	return download(ctx, c.caller, &pb.DownloadContentRequest{Uri: uri, Version: &version}, c.stub.DownloadContent)
}

// DownloadTo downloads into a file, which is there whole or not at all, and gives the number of bytes.
func (c *Content) DownloadTo(ctx context.Context, uri, path string) (int64, error) {
	found, err := c.Download(ctx, uri)
	if err != nil {
		return 0, err
	}
	return found.save(path)
}
