package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Webhooks are URLs to which the server sends changes of the tree, in signed messages.
type Webhooks struct {
	caller *caller
	stub   pb.WebhookServiceClient
}

// Create sends the changes from now on. The secret of the signature is not shown again.
func (w *Webhooks) Create(ctx context.Context, request *pb.CreateWebhookRequest) (*pb.CreateWebhookResponse, error) {
	return write(ctx, w.caller, request, w.stub.CreateWebhook)
}

// List gives the caller's webhooks, the oldest first.
func (w *Webhooks) List(ctx context.Context) (*pb.ListWebhooksResponse, error) {
	return read(ctx, w.caller, &pb.ListWebhooksRequest{}, w.stub.ListWebhooks)
}

// Get gives one webhook and how it is.
func (w *Webhooks) Get(ctx context.Context, id string) (*pb.Webhook, error) {
	return read(ctx, w.caller, &pb.GetWebhookRequest{WebhookId: id}, w.stub.GetWebhook)
}

// Update changes, pauses or resumes a webhook.
func (w *Webhooks) Update(ctx context.Context, request *pb.UpdateWebhookRequest) (*pb.Webhook, error) {
	return write(ctx, w.caller, request, w.stub.UpdateWebhook)
}

// Delete deletes a webhook.
func (w *Webhooks) Delete(ctx context.Context, id string) (*pb.DeleteWebhookResponse, error) {
	return write(ctx, w.caller, &pb.DeleteWebhookRequest{WebhookId: id}, w.stub.DeleteWebhook)
}

// RotateSecret replaces the secret; messages bear both signatures for a while.
func (w *Webhooks) RotateSecret(
	ctx context.Context, request *pb.RotateWebhookSecretRequest,
) (*pb.RotateWebhookSecretResponse, error) {
	return write(ctx, w.caller, request, w.stub.RotateWebhookSecret)
}

// Test sends one message and answers what became of it.
func (w *Webhooks) Test(ctx context.Context, id string) (*pb.WebhookDelivery, error) {
	return write(ctx, w.caller, &pb.TestWebhookRequest{WebhookId: id}, w.stub.TestWebhook)
}

// Deliveries gives the last attempts to deliver, the newest first.
func (w *Webhooks) Deliveries(ctx context.Context, id string) (*pb.ListDeliveriesResponse, error) {
	return read(ctx, w.caller, &pb.ListDeliveriesRequest{WebhookId: id}, w.stub.ListDeliveries)
}
