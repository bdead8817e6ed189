import { useState } from "react";
import { useCreateWebhook } from "../../api/webhooks.ts";
import { Checkbox, Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

/** Kinds of changes, and what each means. */
const KINDS: Readonly<Record<string, string>> = {
  added: "Added",
  changed: "New content",
  moved: "Moved",
  removed: "Removed",
  described: "New abstract",
  tagged: "Other tags",
};

export function NewWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [uri, setUri] = useState("");
  const [description, setDescription] = useState("");
  const [kinds, setKinds] = useState<readonly string[]>([]);
  const create = useCreateWebhook();
  if (create.data !== undefined) {
    return (
      <SecretDialog
        title="Secret of the webhook"
        secret={create.data.secret}
        copy="Copy secret"
        onClose={onClose}
      />
    );
  }
  const submit = () =>
    create.mutate({
      url: url.trim(),
      ...(uri.trim() !== "" && { uri: uri.trim() }),
      kinds: [...kinds],
      description: description.trim(),
    });
  const choose = (kind: string, isChosen: boolean) =>
    setKinds(isChosen ? [...kinds, kind] : kinds.filter((other) => other !== kind));
  return (
    <FormDialog
      title="New webhook"
      about="It sends changes from now on. Its signing secret is shown next."
      action="Create webhook"
      disabled={url.trim() === ""}
      call={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Address"
        placeholder="https://"
        hint="A public https address."
        autoFocus
        spellCheck={false}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Input
        label="Folder or file to watch"
        placeholder="ctx://resources/…"
        hint="If empty: everything that you may read."
        spellCheck={false}
        value={uri}
        onChange={(event) => setUri(event.target.value)}
      />
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1 text-[13px] font-medium">Changes to send</legend>
        {Object.entries(KINDS).map(([kind, title]) => (
          <Checkbox
            key={kind}
            label={title}
            checked={kinds.includes(kind)}
            onChange={(event) => choose(kind, event.target.checked)}
          />
        ))}
        <p className="basis-full text-xs text-soft">If none is selected: all kinds.</p>
      </fieldset>
      <Input
        label="Description"
        maxLength={256}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
