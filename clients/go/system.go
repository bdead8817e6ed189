package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// System is the server as a whole.
type System struct {
	caller *caller
	stub   pb.SystemServiceClient
	health grpc_health_v1.HealthClient
}

// Status returns the server's version and uptime, and the caller's user, account and role.
func (s *System) Status(ctx context.Context) (*pb.GetStatusResponse, error) {
	return read(ctx, s.caller, &pb.GetStatusRequest{}, s.stub.GetStatus)
}

// Usage returns an account's usage and limits; by default the caller's account.
func (s *System) Usage(ctx context.Context, request *pb.GetUsageRequest) (*pb.GetUsageResponse, error) {
	return read(ctx, s.caller, request, s.stub.GetUsage)
}

// Wait waits until all work of the caller's account is done.
func (s *System) Wait(ctx context.Context, request *pb.WaitProcessedRequest) (*pb.WaitProcessedResponse, error) {
	return read(ctx, s.caller, request, s.stub.WaitProcessed)
}

// Health returns whether the server accepts calls. It needs no key.
func (s *System) Health(ctx context.Context) (bool, error) {
	answer, err := read(ctx, s.caller, &grpc_health_v1.HealthCheckRequest{}, s.health.Check)
	return answer.GetStatus() == grpc_health_v1.HealthCheckResponse_SERVING, err
}
