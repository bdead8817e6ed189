import { WebhookService } from "../../../gen/ctxdb/v1/webhook_pb.ts";
import { createWebhook } from "../../service/webhook/create-webhook.ts";
import { deleteWebhook } from "../../service/webhook/delete-webhook.ts";
import { getWebhook } from "../../service/webhook/get-webhook.ts";
import { listDeliveries } from "../../service/webhook/list-deliveries.ts";
import { listOwnWebhooks } from "../../service/webhook/list-webhooks.ts";
import type { WebhookDeps } from "../../service/webhook/own-webhooks.ts";
import { rotateWebhookSecret } from "../../service/webhook/rotate-webhook-secret.ts";
import { testWebhook } from "../../service/webhook/test-webhook.ts";
import { updateWebhook } from "../../service/webhook/update-webhook.ts";
import { type Operation, unary } from "../operation.ts";

const { method } = WebhookService;

export const webhookOperations = (deps: WebhookDeps): Operation[] => [
  unary(method.createWebhook, (call, request) => createWebhook(deps, call, request)),
  unary(method.listWebhooks, (call) => listOwnWebhooks(deps, call)),
  unary(method.getWebhook, (call, request) => getWebhook(deps, call, request)),
  unary(method.updateWebhook, (call, request) => updateWebhook(deps, call, request)),
  unary(method.deleteWebhook, (call, request) => deleteWebhook(deps, call, request)),
  unary(method.rotateWebhookSecret, (call, request) => rotateWebhookSecret(deps, call, request)),
  unary(method.testWebhook, (call, request) => testWebhook(deps, call, request)),
  unary(method.listDeliveries, (call, request) => listDeliveries(deps, call, request)),
];
