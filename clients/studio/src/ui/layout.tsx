import type { ReactNode } from "react";

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: title, actions, and scrolling content. */
export function Page({ title, about, actions, children }: PageProps) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-6xl flex-col gap-5 px-4 py-5 sm:px-6">
        <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-full sm:basis-0">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {about !== undefined && <p className="mt-0.5 max-w-[85ch] text-soft">{about}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  /** Whether the content extends to the edges, as for tables. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Card({ title, actions, flush = false, className = "", children }: CardProps) {
  return (
    <section className={`min-w-0 rounded-xl border border-line bg-surface ${className}`}>
      {(title !== undefined || actions !== undefined) && (
        <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
          {title !== undefined && <h2 className="flex-1 text-sm font-semibold">{title}</h2>}
          {actions}
        </div>
      )}
      <div className={flush ? "" : "p-4"}>{children}</div>
    </section>
  );
}

type Tone = "neutral" | "accent" | "warning" | "danger";

const TONES: Record<Tone, string> = {
  neutral: "bg-sunken text-soft",
  accent: "bg-accent-ground text-accent",
  warning: "bg-warning-ground text-warning",
  danger: "bg-danger-ground text-danger",
};

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className={`inline-flex items-center rounded px-1.5 py-px text-xs font-medium ${TONES[tone]}`}>
      {children}
    </span>
  );
}
