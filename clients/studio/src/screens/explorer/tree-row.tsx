import {
  ChevronRight,
  FileText,
  Folder,
  FolderOpen,
  Image,
  ListTree,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import { type DragEvent, memo, useState } from "react";
import { imageTypeOf, visible } from "../../text/uri.ts";
import { DRAGGED_NODE } from "./tree.tsx";
import type { NodeRow, Row } from "./tree-model.ts";

interface TreeRowProps {
  readonly index: number;
  readonly row: Row;
  readonly top: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onOpen: (index: number, row: Row) => void;
  readonly onToggle: (row: Row) => void;
  readonly onDrop: (event: DragEvent, folder: string) => void;
}

const INDENT = 16;

/** Memoized, because scrolling renders many rows. */
export const TreeRow = memo(function TreeRow({
  index,
  row,
  top,
  active,
  selected,
  onOpen,
  onToggle,
  onDrop,
}: TreeRowProps) {
  const [over, setOver] = useState(false);
  const isFolder = row.kind === "node" && row.isDir;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself handles the keys
    <div
      id={`row-${index}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={selected}
      {...(isFolder && { "aria-expanded": row.open })}
      draggable={row.kind === "node" && row.depth > 0}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED_NODE, row.uri)}
      {...(isFolder && {
        onDragOver: (event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        },
        onDragLeave: () => setOver(false),
        onDrop: (event: DragEvent) => {
          setOver(false);
          onDrop(event, row.uri);
        },
      })}
      onClick={() => onOpen(index, row)}
      className={`absolute inset-x-0 flex h-7 cursor-pointer items-center gap-1.5 rounded-md pr-2 text-[13px] select-none ${
        selected ? "bg-accent-ground text-accent" : "hover:bg-sunken"
      } ${over ? "ring-2 ring-accent" : ""} ${active ? "[[role=tree]:focus-visible_&]:ring-2 [[role=tree]:focus-visible_&]:ring-accent" : ""}`}
      style={{ transform: `translateY(${top}px)`, paddingLeft: row.depth * INDENT + 4 }}
    >
      {isFolder ? (
        <span
          aria-hidden
          className="-my-1 rounded p-0.5 hover:bg-line"
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row);
          }}
        >
          <ChevronRight className={`size-4 text-soft transition-transform ${row.open ? "rotate-90" : ""}`} />
        </span>
      ) : (
        <span className="w-5 shrink-0" />
      )}
      <RowContent row={row} />
    </div>
  );
});

function iconOf({ uri, isDir, isDerived, open }: NodeRow): LucideIcon {
  if (isDir) return isDerived ? ListTree : open ? FolderOpen : Folder;
  return imageTypeOf(uri) === undefined ? FileText : Image;
}

function RowContent({ row }: { readonly row: Row }) {
  if (row.kind === "loading" || row.kind === "more") {
    return (
      <span className="flex items-center gap-2 text-soft">
        <LoaderCircle className="size-3.5 animate-spin" aria-hidden /> Loading…
      </span>
    );
  }
  if (row.kind === "failed")
    return <span className="truncate text-danger">{row.error}. Click to try again.</span>;
  if (row.kind !== "node") return <span className="text-soft italic">Empty</span>;
  const Icon = iconOf(row);
  return (
    <>
      <Icon
        className={`size-4 shrink-0 ${row.isDir && !row.isDerived ? "text-accent" : "text-soft"}`}
        aria-hidden
      />
      <bdi className={`truncate ${row.isDerived ? "text-soft" : ""}`} title={visible(row.name)}>
        {visible(row.name)}
      </bdi>
      {row.isDerived && row.isDir && <span className="shrink-0 text-xs text-soft">sections</span>}
    </>
  );
}
