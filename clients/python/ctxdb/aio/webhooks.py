"""Webhooks: URLs to which the server sends changes of files and folders, in signed messages."""

from __future__ import annotations

from collections.abc import Sequence

from ctxdb._gen.messages.webhook_pb2 import (
    CreateWebhookRequest,
    CreateWebhookResponse,
    DeleteWebhookRequest,
    DeleteWebhookResponse,
    GetWebhookRequest,
    ListDeliveriesRequest,
    ListDeliveriesResponse,
    ListWebhooksRequest,
    ListWebhooksResponse,
    RotateWebhookSecretRequest,
    RotateWebhookSecretResponse,
    TestWebhookRequest,
    UpdateWebhookRequest,
    Webhook,
    WebhookDelivery,
)
from ctxdb.aio._calls import Calls


class Webhooks:
    """The caller's webhooks. They send changes that the caller may read."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def create(
        self,
        url: str,
        *,
        uri: str | None = None,
        kinds: Sequence[str] = (),
        description: str = "",
        idempotency_key: str | None = None,
        deadline: float | None = None,
    ) -> CreateWebhookResponse:
        """Creates a webhook for changes from now on. The ``secret`` for signatures is shown only once."""
        request = CreateWebhookRequest(url=url, uri=uri, kinds=kinds, description=description, idempotency_key=idempotency_key)
        return await self._calls.write("WebhookService/CreateWebhook", request, CreateWebhookResponse, deadline)

    async def list(self, *, deadline: float | None = None) -> ListWebhooksResponse:
        """Returns the caller's webhooks, oldest first."""
        return await self._calls.read("WebhookService/ListWebhooks", ListWebhooksRequest(), ListWebhooksResponse, deadline)

    async def get(self, webhook_id: str, *, deadline: float | None = None) -> Webhook:
        """Returns a webhook and its state."""
        return await self._calls.read("WebhookService/GetWebhook", GetWebhookRequest(webhook_id=webhook_id), Webhook, deadline)

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | None = None,
        description: str | None = None,
        paused: bool | None = None,
        deadline: float | None = None,
    ) -> Webhook:
        """Changes, pauses or resumes a webhook."""
        request = UpdateWebhookRequest(webhook_id=webhook_id, url=url, description=description, paused=paused)
        return await self._calls.write("WebhookService/UpdateWebhook", request, Webhook, deadline)

    async def delete(self, webhook_id: str, *, deadline: float | None = None) -> DeleteWebhookResponse:
        """Deletes a webhook."""
        request = DeleteWebhookRequest(webhook_id=webhook_id)
        return await self._calls.write("WebhookService/DeleteWebhook", request, DeleteWebhookResponse, deadline)

    async def rotate_secret(
        self, webhook_id: str, *, overlap_hours: int | None = None, deadline: float | None = None
    ) -> RotateWebhookSecretResponse:
        """Replaces the secret. For ``overlap_hours``, messages carry both signatures."""
        request = RotateWebhookSecretRequest(webhook_id=webhook_id, overlap_hours=overlap_hours)
        return await self._calls.write("WebhookService/RotateWebhookSecret", request, RotateWebhookSecretResponse, deadline)

    async def test(self, webhook_id: str, *, deadline: float | None = None) -> WebhookDelivery:
        """Sends a test message and returns the result."""
        return await self._calls.write("WebhookService/TestWebhook", TestWebhookRequest(webhook_id=webhook_id), WebhookDelivery, deadline)

    async def deliveries(self, webhook_id: str, *, deadline: float | None = None) -> ListDeliveriesResponse:
        """Returns the latest delivery attempts, newest first."""
        request = ListDeliveriesRequest(webhook_id=webhook_id)
        return await self._calls.read("WebhookService/ListDeliveries", request, ListDeliveriesResponse, deadline)
