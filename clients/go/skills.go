package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/protobuf/proto"
)

// Skills are skills of agents, shared by the account.
type Skills struct {
	caller    *caller
	stub      pb.SkillServiceClient
	resources *Resources
}

// Add stores a skill: an object or a document (Data), or an upload (TempPath). Replaces a skill of the same name
// completely.
func (s *Skills) Add(ctx context.Context, request *pb.AddSkillRequest) (*pb.AddSkillResponse, error) {
	return write(ctx, s.caller, request, s.stub.AddSkill)
}

// AddPath uploads a local skill file, or a folder with one, and stores it with the options of the request (nil
// for the defaults).
func (s *Skills) AddPath(ctx context.Context, path string, request *pb.AddSkillRequest) (*pb.AddSkillResponse, error) {
	upload, err := s.resources.UploadPath(ctx, path)
	if err != nil {
		return nil, err
	}
	if request == nil {
		request = &pb.AddSkillRequest{}
	}
	request = proto.CloneOf(request)
	request.TempPath = &upload.TempPath
	return s.Add(ctx, request)
}

// List returns all skills, sorted by name.
func (s *Skills) List(ctx context.Context) (*pb.ListSkillsResponse, error) {
	return read(ctx, s.caller, &pb.ListSkillsRequest{}, s.stub.ListSkills)
}

// Get returns a skill with its document.
func (s *Skills) Get(ctx context.Context, name string) (*pb.GetSkillResponse, error) {
	return read(ctx, s.caller, &pb.GetSkillRequest{Name: name}, s.stub.GetSkill)
}

// Delete deletes a skill with its files.
func (s *Skills) Delete(ctx context.Context, name string) (*pb.DeleteSkillResponse, error) {
	return write(ctx, s.caller, &pb.DeleteSkillRequest{Name: name}, s.stub.DeleteSkill)
}
