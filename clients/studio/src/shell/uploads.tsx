import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect } from "react";
import { visible } from "../text/uri.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Progress } from "../ui/progress.tsx";
import { cancelUpload, clearUploads, type Upload, useUploads } from "../uploads/uploads.ts";

const STAGES: Record<Upload["stage"], string> = {
  packing: "Waiting",
  sending: "Uploading",
  reading: "Reading",
  layers: "Findable. Writing summaries",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

const hasEnded = ({ stage }: Upload): boolean =>
  stage === "done" || stage === "failed" || stage === "cancelled";
/** Maximum number of warnings shown per upload. */
const SHOWN_WARNINGS = 3;

/** Current uploads, shown above every screen. */
export function Uploads() {
  const uploads = useUploads();
  const sending = uploads.some(({ stage }) => stage === "packing" || stage === "sending");
  useEffect(() => {
    if (!sending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [sending]);
  if (uploads.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="fixed right-4 bottom-4 z-30 flex max-h-[50dvh] w-[min(26rem,calc(100vw-2rem))] flex-col rounded-xl border border-line bg-surface shadow-2xl"
    >
      <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="flex-1 text-sm font-semibold">Uploads</h2>
        {uploads.every(hasEnded) && (
          <Button look="quiet" onClick={clearUploads}>
            Close
          </Button>
        )}
      </div>
      <ul className="overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { id, name, stage, progress, uri, error, warnings } = upload;
  return (
    <li className="flex gap-3 border-b border-line px-4 py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        {uri === undefined ? (
          <p className="truncate font-medium">{visible(name)}</p>
        ) : (
          <Link
            to="/explorer"
            search={{ uri }}
            className="block truncate font-medium text-accent hover:underline"
          >
            {visible(name)}
          </Link>
        )}
        <p className={`text-xs ${stage === "failed" ? "text-danger" : "text-soft"}`}>
          {error ?? STAGES[stage]}
        </p>
        {warnings.slice(0, SHOWN_WARNINGS).map((warning) => (
          <p key={warning} className="text-xs break-words text-warning">
            {visible(warning)}
          </p>
        ))}
        {warnings.length > SHOWN_WARNINGS && (
          <p className="text-xs text-warning">and {warnings.length - SHOWN_WARNINGS} more warnings</p>
        )}
        {!hasEnded(upload) && <Progress label={`${STAGES[stage]}: ${visible(name)}`} value={progress} />}
      </div>
      {stage === "done" && <CircleCheck className="size-4 text-accent" aria-hidden />}
      {stage === "failed" && <CircleAlert className="size-4 text-danger" aria-hidden />}
      {!hasEnded(upload) && (
        <IconButton label={`Cancel ${visible(name)}`} onClick={() => cancelUpload(id)}>
          <X />
        </IconButton>
      )}
    </li>
  );
}
