import { useState } from "react";
import { useDeleteMemories } from "../../api/memories.ts";
import { useListRelations } from "../../api/relations.ts";
import { visible } from "../../text/uri.ts";
import { Checkbox } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toasts.tsx";

interface ForgetDialogProps {
  readonly uri: string;
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

/** Deletes a memory and, where it is wanted, the episodes that say it word for word. */
export function ForgetDialog({ uri, onClose, onForgotten }: ForgetDialogProps) {
  const relations = useListRelations(uri).data ?? [];
  const episodes = relations
    .filter(({ fromUri, toUri }) => fromUri === uri && toUri.includes("/memories/"))
    .map(({ toUri }) => toUri);
  const [withEpisodes, setWithEpisodes] = useState(false);
  const forget = useDeleteMemories();
  const submit = () =>
    forget.mutate([uri, ...(withEpisodes ? episodes : [])], {
      onSuccess: () => {
        toast("Forgotten");
        onClose();
        onForgotten();
      },
    });
  return (
    <FormDialog
      title="Forget this?"
      about={<span className="break-all">{visible(uri)}</span>}
      action="Forget"
      danger
      call={forget}
      onSubmit={submit}
      onClose={onClose}
    >
      {episodes.length > 0 && (
        <Checkbox
          label={`Also delete what was said word for word (${episodes.length} of the episodes)`}
          checked={withEpisodes}
          onChange={(event) => setWithEpisodes(event.target.checked)}
        />
      )}
      <p className="text-[13px] text-soft">
        The archive of the session keeps its messages. Delete the session too where they must go. Committing
        the same messages again brings nothing back.
      </p>
    </FormDialog>
  );
}
