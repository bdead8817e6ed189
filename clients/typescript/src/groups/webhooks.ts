import type { Caller } from "../caller.ts";
import type { Fields } from "../fields.ts";
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

/** Webhooks: URLs to which the server sends changes of files and folders, in signed messages. */
export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a webhook that sends changes from now on. Only this response contains the signing secret. */
  async create(
    request: Fields<CreateWebhookRequest, "url">,
    options?: CallOptions,
  ): Promise<CreateWebhookResponse> {
    return (await this.#caller.write(WebhookService.method.createWebhook, request, options)).message;
  }

  /** Returns all webhooks, oldest first. */
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

  /** Replaces the signing secret. Messages are signed with both secrets until the old one expires. */
  async rotateSecret(
    request: Fields<RotateWebhookSecretRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return (await this.#caller.write(WebhookService.method.rotateWebhookSecret, request, options)).message;
  }

  /** Sends a test message and returns the outcome. */
  async test(
    request: Fields<TestWebhookRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<WebhookDelivery> {
    return (await this.#caller.write(WebhookService.method.testWebhook, request, options)).message;
  }

  /** Returns the latest delivery attempts, newest first. */
  async deliveries(
    request: Fields<ListDeliveriesRequest, "webhookId">,
    options?: CallOptions,
  ): Promise<WebhookDelivery[]> {
    return (await this.#caller.read(WebhookService.method.listDeliveries, request, options)).message
      .deliveries;
  }
}
