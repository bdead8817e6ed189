import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Tip } from "./tip.tsx";

interface IconLinkProps extends Pick<LinkProps, "to" | "search"> {
  /** Description of the target for screen readers and the tooltip. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconLink({ label, to, search, children }: IconLinkProps) {
  return (
    <Tip text={label}>
      <Link
        to={to}
        search={search}
        aria-label={label}
        className="inline-flex size-8 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink [&_svg]:size-4"
      >
        {children}
      </Link>
    </Tip>
  );
}
