import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type DragEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useMoveNode } from "../../api/filesystem.ts";
import { childOf, nameOf, parentOf } from "../../text/uri.ts";
import { toast, toastError } from "../../ui/toasts.tsx";
import { droppedOf } from "../../uploads/dropped.ts";
import { startUploads } from "../../uploads/uploads.ts";
import { parentRow, type Row, rowOf, type TreeModel } from "./tree-model.ts";
import { TreeRow } from "./tree-row.tsx";

export const ROW_HEIGHT = 28;
/** Maximum number of rows in the DOM: the visible ones and the overscan. */
const MAX_LINES = 512;
/** Drag-and-drop type of a node dragged within the page. */
export const DRAGGED_NODE = "application/x-ctxdb-uri";

interface TreeProps {
  readonly model: TreeModel;
  readonly selected: string | undefined;
  readonly onSelect: (uri: string) => void;
}

/** The tree; only visible rows are in the DOM. */
export function Tree({ model, selected, onSelect }: TreeProps) {
  const rows = useSyncExternalStore(model.subscribe, model.rows);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const drop = useTreeDrop();
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = lines.getVirtualItems();

  useEffect(() => {
    for (const { index } of items) {
      const row = rows[index];
      if (row?.kind === "more") model.more(row.uri);
    }
  }, [items, rows, model]);

  // memoized, to avoid a search on every scroll
  const at = useMemo(() => (selected === undefined ? -1 : rowOf(rows, selected)), [rows, selected]);
  const isListed = at >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for another node; its row number also changes while folders above it load
  useEffect(() => {
    if (!isListed) return;
    setActive(at);
    lines.scrollToIndex(at);
  }, [selected, isListed]);

  // stable callbacks, so that visible rows are not rendered again
  const open = useCallback(
    (index: number, row: Row) => {
      setActive(index);
      if (row.kind !== "node") return row.kind === "failed" ? model.open(row.uri) : undefined;
      onSelect(row.uri);
      if (row.isDir && !row.open) model.open(row.uri);
    },
    [model, onSelect],
  );
  const toggle = useCallback(
    (row: Row) => (row.kind === "node" && row.open ? model.close(row.uri) : model.open(row.uri)),
    [model],
  );

  const go = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    setActive(next);
    lines.scrollToIndex(next);
  };

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Files and folders"
      tabIndex={0}
      aria-activedescendant={items.some(({ index }) => index === active) ? `row-${active}` : undefined}
      onKeyDown={(event) => onTreeKey(event, { rows, active, go, model, onSelect })}
      className="min-h-0 flex-1 overflow-y-auto px-2 py-1 -outline-offset-2 [contain:strict]"
    >
      <div role="none" className="relative" style={{ height: lines.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <TreeRow
              // reuse the element of a row that was scrolled out of view
              key={index % MAX_LINES}
              index={index}
              row={row}
              top={start}
              active={index === active}
              selected={row.kind === "node" && row.uri === selected}
              onOpen={open}
              onToggle={toggle}
              onDrop={drop}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Handles files from the desktop, and nodes of the tree, that are dropped on a folder. */
function useTreeDrop() {
  const { mutateAsync: move } = useMoveNode();
  return useCallback(
    async (event: DragEvent, folder: string) => {
      event.preventDefault();
      event.stopPropagation();
      const from = event.dataTransfer.getData(DRAGGED_NODE);
      try {
        if (from === "") {
          const dropped = await droppedOf(event.dataTransfer);
          return await startUploads(dropped, { kind: "resource", parent: folder });
        }
        if (parentOf(from) === folder || from === folder) return;
        await move({ from, to: childOf(folder, nameOf(from)) });
        toast(`Moved ${nameOf(from)} to ${folder}`);
      } catch (thrown) {
        toastError(thrown);
      }
    },
    [move],
  );
}

interface Keys {
  readonly rows: readonly Row[];
  readonly active: number;
  readonly go: (index: number) => void;
  readonly model: TreeModel;
  readonly onSelect: (uri: string) => void;
}

/** Rows per page for Page Up and Page Down. */
const PAGE_LINES = 20;

/** Keyboard navigation according to the ARIA tree view pattern. */
function onTreeKey(event: KeyboardEvent, { rows, active, go, model, onSelect }: Keys): void {
  const row = rows[active];
  const steps: Record<string, () => void> = {
    ArrowDown: () => go(active + 1),
    ArrowUp: () => go(active - 1),
    PageDown: () => go(active + PAGE_LINES),
    PageUp: () => go(active - PAGE_LINES),
    Home: () => go(0),
    End: () => go(rows.length - 1),
  };
  if (row?.kind === "node") {
    steps.Enter = () => onSelect(row.uri);
    steps[" "] = () => onSelect(row.uri);
    steps.ArrowRight = () => (row.isDir && !row.open ? model.open(row.uri) : go(active + 1));
    steps.ArrowLeft = () => (row.open ? model.close(row.uri) : go(Math.max(parentRow(rows, row.uri), 0)));
  }
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  step();
}
