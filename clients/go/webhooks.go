package ctxdb

import (
	"context"

	pb "github.com/ctxdb/ctxdb/clients/go/ctxdbv1"
)

// Webhooks are URLs to which the server sends changes of files and folders, in signed messages.
type Webhooks struct {
	caller *caller
	stub   pb.WebhookServiceClient
}

// Create creates a webhook for changes from now on. The secret for signatures is shown only once.
func (w *Webhooks) Create(ctx context.Context, request *pb.CreateWebhookRequest) (*pb.CreateWebhookResponse, error) {
	return write(ctx, w.caller, request, w.stub.CreateWebhook)
}

// List returns the caller's webhooks, oldest first.
func (w *Webhooks) List(ctx context.Context) (*pb.ListWebhooksResponse, error) {
	return read(ctx, w.caller, &pb.ListWebhooksRequest{}, w.stub.ListWebhooks)
}

// Get returns a webhook and its state.
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

// RotateSecret replaces the secret. For a while, messages carry both signatures.
func (w *Webhooks) RotateSecret(
	ctx context.Context, request *pb.RotateWebhookSecretRequest,
) (*pb.RotateWebhookSecretResponse, error) {
	return write(ctx, w.caller, request, w.stub.RotateWebhookSecret)
}

// Test sends a test message and returns the result.
func (w *Webhooks) Test(ctx context.Context, id string) (*pb.WebhookDelivery, error) {
	return write(ctx, w.caller, &pb.TestWebhookRequest{WebhookId: id}, w.stub.TestWebhook)
}

// Deliveries returns the latest delivery attempts, newest first.
func (w *Webhooks) Deliveries(ctx context.Context, id string) (*pb.ListDeliveriesResponse, error) {
	return read(ctx, w.caller, &pb.ListDeliveriesRequest{WebhookId: id}, w.stub.ListDeliveries)
}
