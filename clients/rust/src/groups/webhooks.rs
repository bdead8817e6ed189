use crate::v1::{webhook_service_client::WebhookServiceClient, *};

group! {
    /// Webhooks: URLs to which the server sends changes of files and folders, in signed messages.
    Webhooks
}

operations! { Webhooks: WebhookServiceClient;
    /// Creates a webhook for changes from now on. The secret for signatures is shown only once.
    create = create_webhook(CreateWebhookRequest) -> CreateWebhookResponse;
    /// Returns the caller's webhooks, oldest first.
    list = list_webhooks() -> ListWebhooksResponse;
    /// Returns a webhook and its state.
    get = get_webhook(GetWebhookRequest) -> Webhook;
    /// Changes, pauses or resumes a webhook.
    update = update_webhook(UpdateWebhookRequest) -> Webhook;
    /// Deletes a webhook.
    delete = delete_webhook(DeleteWebhookRequest) -> DeleteWebhookResponse;
    /// Replaces the secret. For a while, messages carry both signatures.
    rotate_secret = rotate_webhook_secret(RotateWebhookSecretRequest) -> RotateWebhookSecretResponse;
    /// Sends a test message and returns the result.
    test = test_webhook(TestWebhookRequest) -> WebhookDelivery;
    /// Returns the latest delivery attempts, newest first.
    deliveries = list_deliveries(ListDeliveriesRequest) -> ListDeliveriesResponse;
}
