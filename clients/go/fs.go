package ctxdb

import (
	"context"
	"iter"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// FS is the tree of files and folders.
type FS struct {
	caller *caller
	stub   pb.FilesystemServiceClient
}

// Ls returns a page of a folder's entries, sorted by name, as JSON values.
func (f *FS) Ls(ctx context.Context, request *pb.ListEntriesRequest) (*pb.ListEntriesResponse, error) {
	return read(ctx, f.caller, request, f.stub.ListEntries)
}

// LsAll yields all entries of a folder; the limit of the request applies to each page.
func (f *FS) LsAll(ctx context.Context, request *pb.ListEntriesRequest) iter.Seq2[Entry, error] {
	request = proto.CloneOf(request)
	request.Simple = false
	return each(request.Cursor, func(cursor *string) (*pb.ListEntriesResponse, error) {
		request.Cursor = cursor
		return f.Ls(ctx, request)
	}, func(page *pb.ListEntriesResponse) []Entry { return entriesOf(page.GetEntries()) })
}

// Tree returns a page of everything below a folder, 3 levels by default; each folder comes before its contents.
func (f *FS) Tree(ctx context.Context, request *pb.ListTreeRequest) (*pb.ListTreeResponse, error) {
	return read(ctx, f.caller, request, f.stub.ListTree)
}

// TreeAll yields everything below a folder; the limit of the request applies to each page.
func (f *FS) TreeAll(ctx context.Context, request *pb.ListTreeRequest) iter.Seq2[Entry, error] {
	request = proto.CloneOf(request)
	return each(request.Cursor, func(cursor *string) (*pb.ListTreeResponse, error) {
		request.Cursor = cursor
		return f.Tree(ctx, request)
	}, func(page *pb.ListTreeResponse) []Entry { return entriesOf(page.GetEntries()) })
}

// Stat returns the metadata of a file or folder.
func (f *FS) Stat(ctx context.Context, uri string) (*pb.StatNodeResponse, error) {
	return read(ctx, f.caller, &pb.StatNodeRequest{Uri: uri}, f.stub.StatNode)
}

// Mkdir creates a folder and its missing parents; a description becomes its abstract.
func (f *FS) Mkdir(ctx context.Context, request *pb.MakeDirectoryRequest) (*pb.MakeDirectoryResponse, error) {
	return write(ctx, f.caller, request, f.stub.MakeDirectory)
}

// Mv moves a file or folder in one step; something of the same kind at the destination is replaced.
func (f *FS) Mv(ctx context.Context, from, to string) (*pb.MoveNodeResponse, error) {
	return write(ctx, f.caller, &pb.MoveNodeRequest{FromUri: from, ToUri: to}, f.stub.MoveNode)
}

// Cp copies a file or folder to a free URI; contents, layers and vectors are reused.
func (f *FS) Cp(ctx context.Context, request *pb.CopyNodeRequest) (*pb.CopyNodeResponse, error) {
	return write(ctx, f.caller, request, f.stub.CopyNode)
}

// Tag adds and removes tags. The tags of a folder apply to everything below it.
func (f *FS) Tag(ctx context.Context, request *pb.TagNodeRequest) (*pb.TagNodeResponse, error) {
	return write(ctx, f.caller, request, f.stub.TagNode)
}

// RmMany deletes several files and folders in one transaction, either all or none.
func (f *FS) RmMany(ctx context.Context, request *pb.RemoveNodesRequest) (*pb.RemoveNodesResponse, error) {
	return write(ctx, f.caller, request, f.stub.RemoveNodes)
}

// Rm deletes a file or folder. A folder that is not empty must be deleted recursively.
func (f *FS) Rm(ctx context.Context, request *pb.RemoveNodeRequest) (*pb.RemoveNodeResponse, error) {
	return write(ctx, f.caller, request, f.stub.RemoveNode)
}
