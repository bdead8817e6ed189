package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Relations are directed links between URIs, with a reason.
type Relations struct {
	caller *caller
	stub   pb.RelationServiceClient
}

// Link links a file or folder to one or several others. An existing link gets the new reason.
func (r *Relations) Link(ctx context.Context, request *pb.LinkNodesRequest) error {
	_, err := write(ctx, r.caller, request, r.stub.LinkNodes)
	return err
}

// Unlink removes a link in one direction; not an error if there is none.
func (r *Relations) Unlink(ctx context.Context, from, to string) error {
	_, err := write(ctx, r.caller, &pb.UnlinkNodesRequest{FromUri: from, ToUri: to}, r.stub.UnlinkNodes)
	return err
}

// List returns the links from a URI; with direction "in" the links to it, with "both" all of them.
func (r *Relations) List(ctx context.Context, request *pb.ListRelationsRequest) (*pb.ListRelationsResponse, error) {
	return read(ctx, r.caller, request, r.stub.ListRelations)
}
