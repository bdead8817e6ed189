import type { ReactNode } from "react";

/**
 * Scrolls content that is wider than the page, also by keyboard. Positioned, so that it clips visually hidden
 * titles.
 */
export function Scroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
      {children}
    </section>
  );
}
