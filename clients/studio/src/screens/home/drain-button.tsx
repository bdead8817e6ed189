import { useState } from "react";
import { useDrainMember } from "../../api/observer.ts";
import { plural } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";

interface DrainButtonProps {
  readonly number: number;
  readonly isDraining: boolean;
  readonly accountCount: number;
}

/** Lets a server hand over its workspaces, after a confirmation, or stop doing so. */
export function DrainButton({ number, isDraining, accountCount }: DrainButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const drain = useDrainMember();
  const stop = () =>
    drain.mutate(
      { number, cancel: true },
      { onSuccess: () => toast(`Server ${number} takes workspaces again`), onError: toastError },
    );
  const onConfirm = () =>
    drain.mutate(
      { number, cancel: false },
      {
        onSuccess: () => {
          toast(`Server ${number} hands its workspaces over`);
          setAsked(false);
        },
      },
    );
  if (isDraining)
    return (
      <Button busy={drain.isPending} onClick={stop}>
        Stop draining server {number}
      </Button>
    );
  return (
    <>
      <Button onClick={() => setAsked(true)}>Drain server {number}</Button>
      {isAsked && (
        <ConfirmDialog
          title={`Drain server ${number}?`}
          hits={[
            `${plural(accountCount, "workspace")} of this server go to other servers; their callers wait for a moment`,
            "The server takes no workspaces until draining is stopped",
          ]}
          name={`${number}`}
          action="Drain server"
          undo="It can be stopped; workspaces that were handed over stay where they are."
          call={drain}
          onConfirm={onConfirm}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
