import type { Caller } from "../caller.ts";
import {
  type CreateWebhookRequest,
  type CreateWebhookResponse,
  type DeleteWebhookRequest,
  type DeleteWebhookResponse,
  type GetWebhookRequest,
  type ListDeliveriesRequest,
  type RotateWebhookSecretRequest,
  type RotateWebhookSecretResponse,
  type TestWebhookRequest,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  WebhookService,
} from "../gen/ctxdb/v1/webhook_pb.ts";
import type { CallOptions } from "../options.ts";
import type { Fields } from "../request.ts";

/** URLs to which the server sends changes of the tree, in signed messages. */
export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Sends the changes from now on. The secret of the signature is not shown again. */
  async create(
    request: Fields<CreateWebhookRequest, "url">,
    options?: CallOptions,
  ): Promise<CreateWebhookResponse> {
    return (await this.#caller.write(WebhookService.method.createWebhook, request, options)).message;
  }

  /** The oldest first. */
  async list(options?: CallOptions): Promise<Webhook[]> {
    return (await this.#caller.read(WebhookService.method.listWebhooks, {}, options)).message.webhooks;
  }

  async get(request: Fields<GetWebhookRequest, "webhookId">, options?: CallOptions): Promise<Webhook> {
    return (await this.#caller.read(WebhookService.method.getWebhook, request, options)).message;
  }

  /** Changes, pauses or resumes a webhook. */
  async update(request: Fields<UpdateWebhookRequest, "webhookId">, options?: CallOptions): Promise<Webhook> {
    return (await this.#caller.write(WebhookService.method.updateWebhook, request, options)).message;
  }

  async delete(
    request: Fields<DeleteWebhookRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<DeleteWebhookResponse> {
    return (await this.#caller.write(WebhookService.method.deleteWebhook, request, options)).message;
  }

  /** Replaces the secret; messages bear both signatures for a while. */
  async rotateSecret(
    request: Fields<RotateWebhookSecretRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return (await this.#caller.write(WebhookService.method.rotateWebhookSecret, request, options)).message;
  }

  /** Sends one message and answers what became of it. */
  async test(
    request: Fields<TestWebhookRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<WebhookDelivery> {
    return (await this.#caller.write(WebhookService.method.testWebhook, request, options)).message;
  }

  /** The last attempts to deliver, the newest first. */
  async deliveries(
    request: Fields<ListDeliveriesRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<WebhookDelivery[]> {
    return (await this.#caller.read(WebhookService.method.listDeliveries, request, options)).message
      .deliveries;
  }
}
