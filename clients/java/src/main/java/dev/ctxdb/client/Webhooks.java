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

/** Webhooks: URLs to which the server sends changes of files and folders, in signed messages. */
public final class Webhooks {
  private final Caller caller;

  Webhooks(Caller caller) {
    this.caller = caller;
  }

  /** Creates a webhook for changes from now on. The secret for signatures is shown only once. */
  public CreateWebhookResponse create(CreateWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getCreateWebhookMethod(), request);
  }

  /** Returns the caller's webhooks, oldest first. */
  public ListWebhooksResponse list() {
    return caller.read(WebhookServiceGrpc.getListWebhooksMethod(), ListWebhooksRequest.getDefaultInstance());
  }

  /** Returns a webhook and its state. */
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

  /** Replaces the secret. For a while, messages carry both signatures. */
  public RotateWebhookSecretResponse rotateSecret(RotateWebhookSecretRequest request) {
    return caller.write(WebhookServiceGrpc.getRotateWebhookSecretMethod(), request);
  }

  /** Sends a test message and returns the result. */
  public WebhookDelivery test(TestWebhookRequest request) {
    return caller.write(WebhookServiceGrpc.getTestWebhookMethod(), request);
  }

  /** Returns the latest delivery attempts, newest first. */
  public ListDeliveriesResponse deliveries(ListDeliveriesRequest request) {
    return caller.read(WebhookServiceGrpc.getListDeliveriesMethod(), request);
  }
}
