import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  useDeleteWebhook,
  useRotateWebhookSecret,
  useTestWebhook,
  useUpdateWebhook,
  type Webhook,
} from "../../api/webhooks.ts";
import { dateTime, plural } from "../../text/format.ts";
import { visible, visibleText } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Badge, Card } from "../../ui/layout.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";

type Open = "edit" | "secret" | "delete" | undefined;

/** A webhook: its URL and filters, its state, and its latest deliveries. */
export function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const { webhookId, url, state } = webhook;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const update = useUpdateWebhook();
  const isPaused = state === "paused";
  const name = visible(url);
  const toggle = () =>
    update.mutate(
      { webhookId, paused: !isPaused },
      { onSuccess: () => toast(isPaused ? "Resumed" : "Paused"), onError: toastError },
    );
  return (
    <Card
      flush
      actions={
        <>
          <h2 className="min-w-0 flex-1 basis-60 text-sm font-semibold break-all">{name}</h2>
          <Badge tone={isPaused ? "warning" : "accent"}>{state}</Badge>
          <TestButton webhookId={webhookId} />
          <Button busy={update.isPending} onClick={toggle}>
            {isPaused ? <Play /> : <Pause />} {isPaused ? "Resume" : "Pause"}
          </Button>
          <IconButton label={`Edit ${name}`} onClick={() => setOpen("edit")}>
            <Pencil />
          </IconButton>
          <IconButton label={`New secret for ${name}`} onClick={() => setOpen("secret")}>
            <KeyRound />
          </IconButton>
          <IconButton label={`Delete ${name}`} onClick={() => setOpen("delete")}>
            <Trash2 />
          </IconButton>
        </>
      }
    >
      <Facts webhook={webhook} />
      <Deliveries webhookId={webhookId} name={name} />
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === "secret" && <NewSecretDialog webhook={webhook} onClose={close} />}
      {open === "delete" && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </Card>
  );
}

function TestButton({ webhookId }: { readonly webhookId: string }) {
  const test = useTestWebhook();
  const send = () =>
    test.mutate(webhookId, {
      onSuccess: ({ outcome, status, error }) => {
        if (outcome === "delivered") return toast(`Delivered: the receiver answered ${status}`);
        toastError(new Error(`Not delivered: ${visibleText(error ?? outcome)}`));
      },
      onError: toastError,
    });
  return (
    <Button busy={test.isPending} onClick={send}>
      <Send /> Send a test
    </Button>
  );
}

/** What is sent, since when, and why deliveries are paused or late. */
function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { uri, kinds, description, createdAt, pauseReason, failedAttempts, nextAttemptAt } = webhook;
  return (
    <div className="flex flex-col gap-1 px-4 py-3 text-[13px]">
      {description !== "" && <p className="break-words">{visibleText(description)}</p>}
      <p className="text-soft">
        {kinds.length === 0 ? "All changes" : kinds.join(", ")} of{" "}
        {uri === undefined ? "everything that you may read" : <UriText uri={uri} />}, since{" "}
        {dateTime(createdAt)}
      </p>
      {pauseReason !== undefined && pauseReason !== "" && (
        <p className="break-words text-warning">Paused: {visibleText(pauseReason)}</p>
      )}
      {failedAttempts > 0 && (
        <p className="text-warning">
          {plural(failedAttempts, "failed attempt")} of the next delivery
          {nextAttemptAt !== undefined && `, the next one at ${dateTime(nextAttemptAt)}`}
        </p>
      )}
    </div>
  );
}

interface ForWebhook {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function NewSecretDialog({ webhook: { webhookId, url }, onClose }: ForWebhook) {
  const rotate = useRotateWebhookSecret();
  if (rotate.data !== undefined) {
    return (
      <SecretDialog
        title="New secret of the webhook"
        secret={rotate.data.secret}
        copy="Copy secret"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Replace the secret?"
      about={<span className="break-all">{visible(url)}</span>}
      action="Replace secret"
      call={rotate}
      onSubmit={() => rotate.mutate(webhookId)}
      onClose={onClose}
    >
      <p className="text-[13px] text-soft">
        For 24 hours, messages are signed with the old secret as well, so that the receiver can change over.
      </p>
    </FormDialog>
  );
}

function DeleteWebhookDialog({ webhook: { webhookId, url }, onClose }: ForWebhook) {
  const remove = useDeleteWebhook();
  // the host is enough to confirm, because most of a URL is hard to type
  const name = URL.canParse(url) ? new URL(url).host : url;
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      hits={[`Changes are no longer sent to ${visible(url)}`, "Its secret and its list of deliveries"]}
      name={name}
      action="Delete webhook"
      call={remove}
      onConfirm={() =>
        remove.mutate(webhookId, {
          onSuccess: () => {
            toast("Deleted the webhook");
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
