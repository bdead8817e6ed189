import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ open, onClose, title, about, wide = false, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          className={`fixed top-1/2 left-1/2 z-50 max-h-[88dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-2xl ${wide ? "max-w-3xl" : "max-w-lg"}`}
          {...(about === undefined && { "aria-describedby": undefined })}
        >
          <div className="mb-4 flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {about !== undefined && (
                <Radix.Description asChild>
                  <div className="mt-1 text-soft">{about}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label="Close"
              className="-m-1 inline-flex size-8 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
