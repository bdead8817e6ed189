package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Packs are files and folders with their layers in one archive.
type Packs struct {
	caller    *caller
	stub      pb.PackServiceClient
	resources *Resources
}

// Export gives a file or folder as a pack (zip). It has to be closed, or read to its end.
func (p *Packs) Export(ctx context.Context, request *pb.ExportPackRequest) (*Download, error) {
	return download(ctx, p.caller, request, p.stub.ExportPack)
}

// ExportTo exports into a local file, which is there whole or not at all, and gives the number of bytes.
func (p *Packs) ExportTo(ctx context.Context, request *pb.ExportPackRequest, path string) (int64, error) {
	pack, err := p.Export(ctx, request)
	if err != nil {
		return 0, err
	}
	return pack.save(path)
}

// Import unpacks an upload below Parent; OnConflict is "fail" (the default), "overwrite" or "skip".
func (p *Packs) Import(ctx context.Context, request *pb.ImportPackRequest) (*pb.ImportPackResponse, error) {
	return write(ctx, p.caller, request, p.stub.ImportPack)
}

// ImportPath uploads a local pack and unpacks it as the request says.
func (p *Packs) ImportPath(ctx context.Context, path string, request *pb.ImportPackRequest) (*pb.ImportPackResponse, error) {
	upload, err := p.resources.UploadPath(ctx, path)
	if err != nil {
		return nil, err
	}
	request = proto.CloneOf(request)
	request.TempPath = &upload.TempPath
	return p.Import(ctx, request)
}
