package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Observer returns the state of the server's components as tables, with rows separated by newlines and cells by
// tabs.
type Observer struct {
	caller *caller
	stub   pb.ObserverServiceClient
}

// Queue returns the state of the queues.
func (o *Observer) Queue(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetQueueRequest{}, o.stub.GetQueue)
}

// Vectordb returns the state of the vectors.
func (o *Observer) Vectordb(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetVectordbRequest{}, o.stub.GetVectordb)
}

// Vlm returns the tokens used by models.
func (o *Observer) Vlm(ctx context.Context) (*pb.ComponentStatus, error) {
	return read(ctx, o.caller, &pb.GetVlmRequest{}, o.stub.GetVlm)
}

// System returns the state of the queues, the vector index and the models, and the problems found.
func (o *Observer) System(ctx context.Context) (*pb.GetSystemResponse, error) {
	return read(ctx, o.caller, &pb.GetSystemRequest{}, o.stub.GetSystem)
}

// Metrics returns measurements over time. Requires ROOT.
func (o *Observer) Metrics(ctx context.Context, request *pb.ListMetricsRequest) (*pb.ListMetricsResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListMetrics)
}

// Members returns the servers that share the store, with their accounts. Requires ROOT.
func (o *Observer) Members(ctx context.Context) (*pb.ListMembersResponse, error) {
	return read(ctx, o.caller, &pb.ListMembersRequest{}, o.stub.ListMembers)
}

// DrainMember makes a server hand over all its accounts; Cancel stops this. Requires ROOT.
func (o *Observer) DrainMember(ctx context.Context, request *pb.DrainMemberRequest) (*pb.DrainMemberResponse, error) {
	return write(ctx, o.caller, request, o.stub.DrainMember)
}

// MoveAccount hands an account over to a server. Requires ROOT.
func (o *Observer) MoveAccount(ctx context.Context, request *pb.MoveAccountRequest) (*pb.MoveAccountResponse, error) {
	return write(ctx, o.caller, request, o.stub.MoveAccount)
}

// DeadLetters returns jobs that were given up. Requires ADMIN or ROOT.
func (o *Observer) DeadLetters(ctx context.Context, request *pb.ListDeadLettersRequest) (*pb.ListDeadLettersResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListDeadLetters)
}

// RetryDeadLetter queues the job of a dead letter again. Requires ADMIN or ROOT.
func (o *Observer) RetryDeadLetter(ctx context.Context, id string) (*pb.RetryDeadLetterResponse, error) {
	return write(ctx, o.caller, &pb.RetryDeadLetterRequest{Id: id}, o.stub.RetryDeadLetter)
}

// Audit returns administrative and refused calls. Requires ADMIN or ROOT.
func (o *Observer) Audit(ctx context.Context, request *pb.ListAuditRequest) (*pb.ListAuditResponse, error) {
	return read(ctx, o.caller, request, o.stub.ListAudit)
}

// Health returns whether all components work.
func (o *Observer) Health(ctx context.Context) (bool, error) {
	answer, err := read(ctx, o.caller, &pb.GetHealthRequest{}, o.stub.GetHealth)
	return answer.GetHealthy(), err
}
