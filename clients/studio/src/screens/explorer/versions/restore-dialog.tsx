import { useRestoreVersion } from "../../../api/versions.ts";
import { visible } from "../../../text/uri.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast } from "../../../ui/toasts.tsx";

interface RestoreDialogProps {
  readonly uri: string;
  readonly version: number;
  /** ETag of the current content, which is stored as a version. */
  readonly etag: string;
  readonly onClose: () => void;
}

export function RestoreDialog({ uri, version, etag, onClose }: RestoreDialogProps) {
  const restore = useRestoreVersion();
  const submit = () =>
    restore.mutate(
      { uri, version, ifMatch: etag },
      {
        onSuccess: ({ restored, version: current }) => {
          toast(`Version ${restored} is the current content again, as version ${current}`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={`Restore version ${version}?`}
      about={<span className="break-all">{visible(uri)}</span>}
      action="Restore"
      call={restore}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-[13px] text-soft">
        The file gets this content as a new version. The current content stays in the list.
      </p>
    </FormDialog>
  );
}
