package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Packs are archives of files and folders with their layers.
type Packs struct {
	caller    *caller
	stub      pb.PackServiceClient
	resources *Resources
}

// Export exports a file or folder as a pack (zip). Close it, or read it to its end.
func (p *Packs) Export(ctx context.Context, request *pb.ExportPackRequest) (*Download, error) {
	return download(ctx, p.caller, request, p.stub.ExportPack)
}

// ExportTo exports into a local file, completely or not at all, and returns the number of bytes.
func (p *Packs) ExportTo(ctx context.Context, request *pb.ExportPackRequest, path string) (int64, error) {
	pack, err := p.Export(ctx, request)
	if err != nil {
		return 0, err
	}
	return pack.save(path)
}

// Import imports an uploaded pack into the folder Parent; OnConflict is "fail" (the default), "overwrite" or
// "skip".
func (p *Packs) Import(ctx context.Context, request *pb.ImportPackRequest) (*pb.ImportPackResponse, error) {
	return write(ctx, p.caller, request, p.stub.ImportPack)
}

// ImportPath uploads a local pack and imports it with the options of the request.
func (p *Packs) ImportPath(ctx context.Context, path string, request *pb.ImportPackRequest) (*pb.ImportPackResponse, error) {
	upload, err := p.resources.UploadPath(ctx, path)
	if err != nil {
		return nil, err
	}
	request = proto.CloneOf(request)
	request.TempPath = &upload.TempPath
	return p.Import(ctx, request)
}
