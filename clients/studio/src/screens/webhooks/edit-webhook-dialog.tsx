import { useState } from "react";
import { useUpdateWebhook, type Webhook } from "../../api/webhooks.ts";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface EditWebhookDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Edits a webhook; its filters are fixed when it is created. */
export function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  const [url, setUrl] = useState(webhook.url);
  const [description, setDescription] = useState(webhook.description);
  const update = useUpdateWebhook();
  const submit = () =>
    update.mutate(
      { webhookId: webhook.webhookId, url: url.trim(), description: description.trim() },
      {
        onSuccess: () => {
          toast("Saved");
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Edit the webhook"
      action="Save"
      disabled={url.trim() === ""}
      call={update}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Address"
        autoFocus
        spellCheck={false}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Input
        label="Description"
        maxLength={256}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
