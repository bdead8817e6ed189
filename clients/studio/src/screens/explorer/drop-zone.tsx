import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { useMayWrite } from "../../api/access.ts";
import { visible } from "../../text/uri.ts";
import { toastError } from "../../ui/toasts.tsx";
import { droppedOf } from "../../uploads/dropped.ts";
import { startUploads } from "../../uploads/uploads.ts";
import { uploadFolder } from "./places.ts";

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** Uploads dropped files and folders to the folder that is shown. */
export function DropZone({ folder, children }: { readonly folder: string; readonly children: ReactNode }) {
  const [over, setOver] = useState(false);
  const target = uploadFolder(folder);
  const mayUpload = useMayWrite(target);
  const drop = async (event: DragEvent) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (!mayUpload) return;
    try {
      await startUploads(await droppedOf(event.dataTransfer), { kind: "resource", parent: target });
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button Upload does the same by keyboard
    <div
      className="relative h-full"
      onDragOver={(event) => {
        if (!bringsFiles(event)) return;
        event.preventDefault();
        setOver(mayUpload);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => void drop(event)}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-3 z-20 flex flex-col items-center justify-center gap-2 rounded-2xl border-2 border-dashed border-accent bg-accent-ground/90 text-accent">
          <Upload className="size-8" />
          <p className="font-semibold">Drop to add to {visible(target)}</p>
        </div>
      )}
    </div>
  );
}
