import { useMutation, useQuery } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery } from "../../../typescript/src/gen/ctxdb/v1/webhook_pb.ts";
import { client } from "./client.ts";
import { queryClient } from "./query-client.ts";

export type { Webhook, WebhookDelivery };

const REFRESH_MS = 5_000;

const refresh = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });

/** The caller's webhooks, oldest first. */
export function useListWebhooks() {
  return useQuery({
    queryKey: ["webhooks", "list"],
    queryFn: ({ signal }) => client().webhooks.list({ signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The latest delivery attempts, newest first. */
export function useListDeliveries(webhookId: string) {
  return useQuery({
    queryKey: ["webhooks", "deliveries", webhookId],
    queryFn: ({ signal }) => client().webhooks.deliveries({ webhookId }, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

interface NewWebhook {
  readonly url: string;
  /** Directory or file to watch; if absent, everything that the caller may read. */
  readonly uri?: string;
  /** Kinds of changes; empty for all. */
  readonly kinds: string[];
  readonly description: string;
}

export function useCreateWebhook() {
  return useMutation({
    mutationFn: (webhook: NewWebhook) => client().webhooks.create(webhook),
    onSuccess: () => void refresh(),
  });
}

interface WebhookChange {
  readonly webhookId: string;
  readonly url?: string;
  readonly description?: string;
  readonly paused?: boolean;
}

export function useUpdateWebhook() {
  return useMutation({
    mutationFn: (change: WebhookChange) => client().webhooks.update(change),
    onSuccess: () => void refresh(),
  });
}

export function useDeleteWebhook() {
  return useMutation({
    mutationFn: (webhookId: string) => client().webhooks.delete({ webhookId }),
    onSuccess: () => void refresh(),
  });
}

export function useRotateWebhookSecret() {
  return useMutation({
    mutationFn: (webhookId: string) => client().webhooks.rotateSecret({ webhookId }),
    onSuccess: () => void refresh(),
  });
}

export function useTestWebhook() {
  return useMutation({
    mutationFn: (webhookId: string) => client().webhooks.test({ webhookId }),
    onSettled: () => void refresh(),
  });
}
