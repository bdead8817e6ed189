import type { LucideIcon } from "lucide-react";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { codeOf, messageOf, requestOf } from "../api/client.ts";
import { Button } from "./button.tsx";

/** Placeholder for an empty list, with advice. */
export function Empty(props: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  const { icon: Icon, title, children } = props;
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-12 text-center">
      <div className="mb-1 rounded-full bg-sunken p-3 text-soft">
        <Icon className="size-6" aria-hidden />
      </div>
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="flex flex-col items-center gap-3 text-soft">{children}</div>}
    </div>
  );
}

/** Advice for the user, by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAVAILABLE: "The server cannot be reached. Studio tries again every few seconds.",
  NOT_FOUND: "It may have been moved or deleted, or you may not see it.",
  PERMISSION_DENIED: "Your role does not allow this. Ask an administrator of the workspace.",
  RESOURCE_EXHAUSTED: "The server limits the number of requests. Wait a moment and try again.",
  DEADLINE_EXCEEDED: "The call took too long. The server may still be working on it.",
  FAILED_PRECONDITION: "Another step must be completed first.",
};

/** An error with its code, message and next step. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const code = codeOf(error);
  const request = requestOf(error);
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-danger/40 bg-danger-ground p-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{messageOf(error)}</p>
        <p className="text-[13px] text-soft">
          <code>{code}</code>
          {ADVICE[code] !== undefined && ` · ${ADVICE[code]}`}
        </p>
        {request !== undefined && <p className="text-xs break-all text-soft">Request {request}</p>}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Placeholder lines while content is loading. */
export function Loading({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 py-2">
      {Array.from({ length: lines }, (_, line) => {
        const width = line % 3 === 2 ? "w-2/3" : "w-full";
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder lines have no id
        return <div key={line} className={`h-4 animate-pulse rounded bg-sunken ${width}`} />;
      })}
    </div>
  );
}
