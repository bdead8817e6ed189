import { SecretDialog } from "../../ui/secret-dialog.tsx";

interface KeyDialogProps {
  readonly owner: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

/** A new key: the server keeps its hash alone, so it is shown here and never again. */
export function KeyDialog({ owner, apiKey, onClose }: KeyDialogProps) {
  return <SecretDialog title={`Key of ${owner}`} secret={apiKey} copy="Copy key" onClose={onClose} />;
}
