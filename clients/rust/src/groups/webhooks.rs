use crate::v1::{webhook_service_client::WebhookServiceClient, *};

group! {
    /// URLs to which the server sends changes of the tree, in signed messages.
    Webhooks
}

operations! { Webhooks: WebhookServiceClient;
    /// Sends the changes from now on. The secret of the signature is not shown again.
    create = create_webhook(CreateWebhookRequest) -> CreateWebhookResponse;
    /// The oldest first.
    list = list_webhooks() -> ListWebhooksResponse;
    /// One webhook and how it is.
    get = get_webhook(GetWebhookRequest) -> Webhook;
    /// Changes, pauses or resumes a webhook.
    update = update_webhook(UpdateWebhookRequest) -> Webhook;
    /// Deletes a webhook.
    delete = delete_webhook(DeleteWebhookRequest) -> DeleteWebhookResponse;
    /// Replaces the secret; messages bear both signatures for a while.
    rotate_secret = rotate_webhook_secret(RotateWebhookSecretRequest) -> RotateWebhookSecretResponse;
    /// Sends one message and answers what became of it.
    test = test_webhook(TestWebhookRequest) -> WebhookDelivery;
    /// The last attempts to deliver, the newest first.
    deliveries = list_deliveries(ListDeliveriesRequest) -> ListDeliveriesResponse;
}
