import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { useListWebhooks } from "../../api/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { NewWebhookDialog } from "./new-webhook-dialog.tsx";
import { WebhookCard } from "./webhook-card.tsx";

/** The caller's webhooks: URLs to which the server sends changes of the tree. */
export function Webhooks() {
  const { data, error, refetch } = useListWebhooks();
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      about="The server sends changes of the tree to your URLs, in signed messages. Each message contains what you may read at that moment."
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus /> New webhook
        </Button>
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.length === 0 && (
        <Empty icon={WebhookIcon} title="No webhooks yet">
          Create one for a program that reacts to changes: a build, a mirror, a chat channel.
        </Empty>
      )}
      {data?.map((webhook) => (
        <WebhookCard key={webhook.webhookId} webhook={webhook} />
      ))}
      {adding && <NewWebhookDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
