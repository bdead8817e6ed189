package dev.ctxdb.client;

import dev.ctxdb.v1.CreateWebhookRequest;
import dev.ctxdb.v1.CreateWebhookResponse;
import dev.ctxdb.v1.DeleteWebhookRequest;
import dev.ctxdb.v1.DeleteWebhookResponse;
import dev.ctxdb.v1.GetWebhookRequest;
import dev.ctxdb.v1.ListDeliveriesRequest;
import dev.ctxdb.v1.ListDeliveriesResponse;
import dev.ctxdb.v1.ListWebhooksRequest;
import dev.ctxdb.v1.ListWebhooksResponse;
import dev.ctxdb.v1.RotateWebhookSecretRequest;
import dev.ctxdb.v1.RotateWebhookSecretResponse;
import dev.ctxdb.v1.TestWebhookRequest;
import dev.ctxdb.v1.UpdateWebhookRequest;
import dev.ctxdb.v1.Webhook;
import dev.ctxdb.v1.WebhookDelivery;
import dev.ctxdb.v1.WebhookServiceGrpc;

/** URLs to which the server sends changes of the tree, in signed messages. */
public final class Webhooks {
  private final Caller caller;

  Webhooks(Caller caller) {
    this.caller = caller;
  }

  /** Sends the changes from now on. The secret of the signature is not shown again. */
  public CreateWebhookResponse create(CreateWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getCreateWebhookMethod(), request);
  }

  /** The oldest first. */
  public ListWebhooksResponse list() {
    return caller.read(WebhookServiceGrpc.getListWebhooksMethod(), ListWebhooksRequest.getDefaultInstance());
  }

  /** One webhook and how it is. */
  public Webhook get(GetWebhookRequest request) {
    return caller.read(WebhookServiceGrpc.getGetWebhookMethod(), request);
  }

  /** Changes, pauses or resumes a webhook. */
  public Webhook update(UpdateWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getUpdateWebhookMethod(), request);
  }

  /** Deletes a webhook. */
  public DeleteWebhookResponse delete(DeleteWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getDeleteWebhookMethod(), request);
  }

  /** Replaces the secret; messages bear both signatures for a while. */
  public RotateWebhookSecretResponse rotateSecret(RotateWebhookSecretRequest request) {
    return caller.write(WebhookServiceGrpc.getRotateWebhookSecretMethod(), request);
  }

  /** Sends one message and answers what became of it. */
  public WebhookDelivery test(TestWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getTestWebhookMethod(), request);
  }

  /** The last attempts to deliver, the newest first. */
  public ListDeliveriesResponse deliveries(ListDeliveriesRequest request) {
    return caller.read(WebhookServiceGrpc.getListDeliveriesMethod(), request);
  }
}
