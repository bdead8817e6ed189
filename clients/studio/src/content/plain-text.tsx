import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { visibleLine } from "../text/uri.ts";

const LINE_HEIGHT = 20;
/** Maximum characters shown per line. */
const MAX_LINE = 2_000;
const MAX_HEIGHT = 640;

interface PlainTextProps {
  readonly text: string;
  /** Label for screen readers. */
  readonly label?: string;
  /** CSS classes of a line by its text; such lines have no numbers. */
  readonly lineLook?: (line: string) => string;
}

/** Plain text line by line; only visible lines are in the DOM. */
export function PlainText({ text, label = "Text", lineLook }: PlainTextProps) {
  const lines = useMemo(() => text.split("\n"), [text]);
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="overflow-auto rounded-lg border border-line bg-ground font-mono text-[12.5px]"
      style={{ height: Math.min(lines.length * LINE_HEIGHT + 18, MAX_HEIGHT) }}
    >
      <div className="relative my-2" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={`absolute flex h-5 min-w-full leading-5 whitespace-pre ${lineLook?.(lines[index] ?? "") ?? ""}`}
            style={{ transform: `translateY(${start}px)` }}
          >
            {lineLook === undefined && (
              <span className="w-14 shrink-0 pr-3 text-right text-soft select-none" aria-hidden>
                {index + 1}
              </span>
            )}
            <bdi dir="ltr" className={lineLook === undefined ? "pr-4" : "px-4"}>
              {shown(lines[index] ?? "")}
            </bdi>
          </div>
        ))}
      </div>
    </section>
  );
}

const shown = (line: string): string =>
  line.length <= MAX_LINE
    ? visibleLine(line)
    : `${visibleLine(line.slice(0, MAX_LINE))} … ${line.length - MAX_LINE} more characters in this line`;
