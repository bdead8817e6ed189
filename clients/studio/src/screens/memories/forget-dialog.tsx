import { useEffect } from "react";
import type { ForgetResponse } from "../../../../typescript/src/gen/ctxdb/v1/memory_pb.ts";
import { type ForgetSelection, useForget, useForgetPreview } from "../../api/memories.ts";
import { visible } from "../../text/uri.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loading } from "../../ui/states.tsx";
import { toast } from "../../ui/toasts.tsx";
import { amountOf, ForgetPreview, removesAnything } from "./forget-preview.tsx";

interface ForgetDialogProps {
  readonly uri: string;
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

/** Forgets the memories of a file permanently, after a preview. */
export function ForgetDialog({ uri, onClose, onForgotten }: ForgetDialogProps) {
  const { mutate: ask, data: preview, error } = useForgetPreview();
  const forget = useForget();
  useEffect(() => ask({ uri }), [ask, uri]);
  return (
    <FormDialog
      title="Forget this for good?"
      about={<span className="break-all">{visible(uri)}</span>}
      action="Forget"
      danger
      disabled={preview === undefined || !removesAnything(preview)}
      call={{ isPending: forget.isPending, error: forget.error ?? error }}
      onSubmit={() => forgetNow(forget, { uri }, onClose, onForgotten)}
      onClose={onClose}
    >
      {preview === undefined && error === null && <Loading lines={3} />}
      {preview !== undefined && <ForgetPreview preview={preview} />}
    </FormDialog>
  );
}

/** Forgets what the preview showed, and reports what was removed. */
export function forgetNow(
  forget: ReturnType<typeof useForget>,
  selection: ForgetSelection,
  onClose: () => void,
  onForgotten: () => void,
): void {
  forget.mutate(selection, {
    onSuccess: (receipt: ForgetResponse) => {
      toast(`Forgotten: ${amountOf(receipt)}. Tasks shows when the disk holds none of it either.`);
      onClose();
      onForgotten();
    },
  });
}
