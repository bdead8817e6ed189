import { Link } from "@tanstack/react-router";
import { Folder, FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ExplorationStep } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { score } from "../../text/format.ts";
import { nameOf, parentOf, segmentsOf, visible } from "../../text/uri.ts";

interface ExplorationTreeProps {
  /** Folders where the search started, best first. */
  readonly seeds: readonly string[];
  /** In the order in which they were opened. */
  readonly opened: readonly Pick<ExplorationStep, "uri" | "score" | "changed">[];
}

interface Row {
  readonly uri: string;
  readonly depth: number;
  /** The part of the URI after that of its parent in this tree. */
  readonly label: string;
}

/** URIs in tree order, each below the nearest one that contains it. */
function rowsOf(uris: readonly string[]): Row[] {
  const known = new Set(uris);
  const depths = new Map<string, number>();
  return [...known]
    .sort((a, b) => (segmentsOf(a).join("\u0000") < segmentsOf(b).join("\u0000") ? -1 : 1))
    .map((uri) => {
      let parent = parentOf(uri);
      while (!known.has(parent) && segmentsOf(parent).length > 0) parent = parentOf(parent);
      const isInside = known.has(parent) && parent !== uri;
      const depth = isInside ? (depths.get(parent) ?? 0) + 1 : 0;
      depths.set(uri, depth);
      const label = isInside ? uri.slice(parent.length).replace(/^\//, "") : uri;
      return { uri, depth, label: label === "" ? nameOf(uri) : label };
    });
}

/** Tree of folders: those where the search started, and those opened so far. */
export function ExplorationTree({ seeds, opened }: ExplorationTreeProps) {
  const orders = new Map(opened.map(({ uri }, index) => [uri, index]));
  const list = useRef<HTMLOListElement>(null);
  const last = opened.at(-1)?.uri;
  useEffect(() => {
    const current = last === undefined ? null : list.current?.querySelector("[aria-current]");
    if (list.current === null || !(current instanceof HTMLElement)) return;
    // scroll only the list, so that the step buttons do not move
    list.current.scrollTop = current.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [last]);
  return (
    <ol
      aria-label="Folders"
      ref={list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="flex max-h-[30rem] flex-col overflow-y-auto rounded-lg border border-line bg-ground p-2 text-[13px] -outline-offset-2"
    >
      {rowsOf([...seeds, ...orders.keys()]).map(({ uri, depth, label }) => {
        const order = orders.get(uri);
        const step = order === undefined ? undefined : opened[order];
        const isLast = order === opened.length - 1;
        const Icon = step === undefined ? Folder : FolderOpen;
        return (
          <li
            key={uri}
            aria-current={isLast ? "step" : undefined}
            className={`flex items-center gap-2 rounded px-2 py-1 ${isLast ? "bg-accent-ground" : ""}`}
            style={{ paddingLeft: 8 + Math.min(depth, 8) * 16 }}
          >
            <Icon
              className={`size-4 shrink-0 ${step === undefined ? "text-soft" : "text-accent"}`}
              aria-hidden
            />
            <Link
              to="/explorer"
              search={{ uri }}
              title={uri}
              className={`min-w-0 truncate hover:underline ${step === undefined ? "text-soft" : ""}`}
            >
              <bdi>{visible(label)}</bdi>
            </Link>
            {seeds.includes(uri) && (
              <span className="shrink-0 rounded bg-sunken px-1.5 text-xs text-soft">
                start {seeds.indexOf(uri) + 1}
              </span>
            )}
            {step !== undefined && order !== undefined && (
              <span className="ml-auto shrink-0 text-xs tabular-nums">
                <span className="text-soft">{score(step.score)} · </span>
                <span className={step.changed ? "text-accent" : "text-soft"}>opened {order + 1}.</span>
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
