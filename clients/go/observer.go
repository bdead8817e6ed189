package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Observer tells the state of the parts, for people: tables with rows by newline and cells by tab.
type Observer struct {
	caller *caller
	stub   pb.ObserverServiceClient
}

// Queue tells of the queues.
func (o *Observer) Queue(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetQueueRequest{}, o.stub.GetQueue)
}

// Vectordb tells of the vectors.
func (o *Observer) Vectordb(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetVectordbRequest{}, o.stub.GetVectordb)
}

// Vlm tells of the models' token usage.
func (o *Observer) Vlm(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetVlmRequest{}, o.stub.GetVlm)
}

// System tells of all three.
func (o *Observer) System(ctx context.Context) (*pb.GetSystemResponse, error) {
	return read(ctx, o.caller, &pb.GetSystemRequest{}, o.stub.GetSystem)
}

// Metrics lists measurements over time; ROOT alone.
func (o *Observer) Metrics(ctx context.Context, request *pb.ListMetricsRequest) (*pb.ListMetricsResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListMetrics)
}

// Members lists the servers that share the store, and the accounts that each of them owns; ROOT alone.
func (o *Observer) Members(ctx context.Context) (*pb.ListMembersResponse, error) {
	return read(ctx, o.caller, &pb.ListMembersRequest{}, o.stub.ListMembers)
}

// DrainMember makes a server hand over all its accounts, or with Cancel ends that; ROOT alone.
func (o *Observer) DrainMember(ctx context.Context, request *pb.DrainMemberRequest) (*pb.DrainMemberResponse, error) {
	return write(ctx, o.caller, request, o.stub.DrainMember)
}

// MoveAccount hands an account over to a server; ROOT alone.
func (o *Observer) MoveAccount(ctx context.Context, request *pb.MoveAccountRequest) (*pb.MoveAccountResponse, error) {
	return write(ctx, o.caller, request, o.stub.MoveAccount)
}

// DeadLetters lists jobs that were given up; ADMIN and ROOT.
func (o *Observer) DeadLetters(ctx context.Context, request *pb.ListDeadLettersRequest) (*pb.ListDeadLettersResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListDeadLetters)
}

// RetryDeadLetter queues a job that was given up again; ADMIN and ROOT.
func (o *Observer) RetryDeadLetter(ctx context.Context, id string) (*pb.RetryDeadLetterResponse, error) {
	return write(ctx, o.caller, &pb.RetryDeadLetterRequest{Id: id}, o.stub.RetryDeadLetter)
}

// Audit lists administrative and refused calls; ADMIN and ROOT.
func (o *Observer) Audit(ctx context.Context, request *pb.ListAuditRequest) (*pb.ListAuditResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListAudit)
}

// Health says whether all parts are well.
func (o *Observer) Health(ctx context.Context) (bool, error) {
	answer, err := read(ctx, o.caller, &pb.GetHealthRequest{}, o.stub.GetHealth)
	return answer.GetHealthy(), err
}
