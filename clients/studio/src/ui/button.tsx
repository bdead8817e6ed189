import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Tip } from "./tip.tsx";

type Look = "primary" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink border-line-strong/50 hover:bg-sunken",
  quiet: "bg-transparent text-soft border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-danger-ground text-danger border-danger/40 hover:border-danger",
};

const BASE =
  "inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  /** Shows activity and ignores clicks. */
  readonly busy?: boolean;
}

export function Button({
  look = "plain",
  busy = false,
  className = "",
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={`${BASE} h-8 px-3 text-[13px] ${LOOKS[look]} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy}
      {...rest}
    >
      {busy && (
        <span
          className="size-3 animate-spin rounded-full border-2 border-current border-t-transparent"
          aria-hidden
        />
      )}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label"> {
  /** Description for screen readers and the tooltip. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <Tip text={label}>
      <button
        type="button"
        aria-label={label}
        className={`${BASE} size-8 ${LOOKS.quiet} ${className}`}
        {...rest}
      >
        {children}
      </button>
    </Tip>
  );
}
