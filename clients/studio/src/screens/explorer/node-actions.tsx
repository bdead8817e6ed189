import {
  Clock,
  Copy,
  Download,
  FilePlus,
  FolderPlus,
  Link2,
  MoreHorizontal,
  Package,
  PackageOpen,
  RefreshCw,
  Share2,
  Tag,
  Trash2,
  TriangleRight,
  Upload,
} from "lucide-react";
import { useRef, useState } from "react";
import type { StatNodeResponse } from "../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { includesLevel, useExplainAccess, useMayWrite } from "../../api/access.ts";
import { useDownload, useExportPack } from "../../api/content.ts";
import { useRefreshResource } from "../../api/resources.ts";
import { nameOf, parentOf } from "../../text/uri.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { chosenFiles, chosenFolder } from "../../uploads/dropped.ts";
import { startUploads } from "../../uploads/uploads.ts";
import { isShareable } from "./access/levels.ts";
import { ShareDialog } from "./access/share-dialog.tsx";
import { AddUrlDialog } from "./add-url-dialog.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { NewFileDialog } from "./new-file-dialog.tsx";
import { NewFolderDialog } from "./new-folder-dialog.tsx";
import { isFixed, isWritable, uploadFolder } from "./places.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { TagsDialog } from "./tags-dialog.tsx";

type Open =
  | "tags"
  | "folder"
  | "file"
  | "move"
  | "copy"
  | "delete"
  | "link"
  | "url"
  | "share"
  | "schedule"
  | undefined;

interface NodeActionsProps {
  readonly node: StatNodeResponse;
  readonly onSelect: (uri: string) => void;
  readonly onView: (view: string) => void;
}

/** What the caller can do with a node. */
export function NodeActions({ node, onSelect, onView }: NodeActionsProps) {
  const { uri, name, isDir, source } = node;
  const level = useExplainAccess({ uri }).data?.level;
  const mayWrite = includesLevel(level, "write");
  const mayUpload = useMayWrite(uploadFolder(uri));
  const mayShare = includesLevel(level, "admin") && isShareable(uri) && source === undefined;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const download = useDownload();
  const exportPack = useExportPack();
  const refresh = useRefreshResource();
  const items: (MenuItem | false)[] = [
    isDir &&
      mayWrite &&
      isWritable(uri) && { title: "New folder", icon: <FolderPlus />, onSelect: () => setOpen("folder") },
    isDir &&
      mayWrite &&
      isWritable(uri) && { title: "New text file", icon: <FilePlus />, onSelect: () => setOpen("file") },
    !isDir && {
      title: "Download",
      icon: <Download />,
      onSelect: () => download.mutate({ uri, name }, { onError: toastError }),
    },
    mayWrite && { title: "Link to another node", icon: <Link2 />, onSelect: () => setOpen("link") },
    !uri.startsWith("ctx://session") && {
      title: "Export as pack",
      icon: <Package />,
      onSelect: () => exportPack.mutate({ uri, name: name || "ctxdb" }, { onError: toastError }),
    },
    mayShare && { title: "Share", icon: <Share2 />, onSelect: () => setOpen("share") },
    mayWrite &&
      uri.startsWith("ctx://resources/") && {
        title: "Refresh from its source",
        icon: <RefreshCw />,
        onSelect: () =>
          refresh.mutate(uri, {
            onSuccess: () => toast(`Refreshing ${name}. Tasks shows how far it is.`),
            onError: toastError,
          }),
      },
    mayWrite &&
      uri.startsWith("ctx://resources/") && {
        title: "Refresh on schedule",
        icon: <Clock />,
        onSelect: () => setOpen("schedule"),
      },
    mayWrite &&
      !isFixed(uri) &&
      isWritable(uri) &&
      source === undefined && { title: "Tags", icon: <Tag />, onSelect: () => setOpen("tags") },
    mayWrite &&
      !isFixed(uri) && { title: "Move or rename", icon: <TriangleRight />, onSelect: () => setOpen("move") },
    !isFixed(uri) &&
      !uri.startsWith("ctx://session") && { title: "Copy", icon: <Copy />, onSelect: () => setOpen("copy") },
    mayWrite &&
      !isFixed(uri) && { title: "Delete", icon: <Trash2 />, danger: true, onSelect: () => setOpen("delete") },
  ];
  return (
    <div className="flex items-center gap-1">
      {isDir && mayUpload && <UploadMenu uri={uri} onUrl={() => setOpen("url")} />}
      <Menu
        items={items.filter((item) => item !== false)}
        trigger={
          <IconButton label="More actions">
            <MoreHorizontal />
          </IconButton>
        }
      />
      {open === "folder" && <NewFolderDialog parent={uri} onClose={close} onMade={onSelect} />}
      {open === "file" && <NewFileDialog parent={uri} onClose={close} onMade={onSelect} />}
      {open === "tags" && <TagsDialog node={node} onClose={close} />}
      {open === "move" && <MoveDialog uri={uri} onClose={close} onMoved={onSelect} />}
      {open === "copy" && <CopyDialog uri={uri} onClose={close} onCopied={onSelect} />}
      {open === "delete" && (
        <DeleteDialog node={node} onClose={close} onDeleted={() => onSelect(parentOf(uri))} />
      )}
      {open === "share" && (
        <ShareDialog
          uri={uri}
          onClose={() => {
            close();
            onView("access");
          }}
        />
      )}
      {open === "schedule" && <ScheduleDialog uri={uri} onClose={close} />}
      {open === "link" && <LinkDialog uri={uri} onClose={close} />}
      {open === "url" && <AddUrlDialog parent={uploadFolder(uri)} onClose={close} />}
    </div>
  );
}

/** Menu to upload files, folders and packs from this machine, or to import a web address. */
function UploadMenu({ uri, onUrl }: { readonly uri: string; readonly onUrl: () => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const pack = useRef<HTMLInputElement>(null);
  const target = uploadFolder(uri);
  const start =
    (kind: "resource" | "pack", choose: typeof chosenFiles) =>
    (event: React.ChangeEvent<HTMLInputElement>) => {
      const { files: chosen } = event.target;
      try {
        if (chosen !== null)
          void startUploads(choose(chosen), { kind, parent: kind === "pack" ? uri : target });
      } catch (thrown) {
        toastError(thrown);
      }
      event.target.value = "";
    };
  const items: MenuItem[] = [
    { title: "Files", icon: <FilePlus />, onSelect: () => files.current?.click() },
    { title: "A folder", icon: <FolderPlus />, onSelect: () => folder.current?.click() },
    { title: "A web page or repository", icon: <Link2 />, onSelect: onUrl },
    { title: "A pack", icon: <PackageOpen />, onSelect: () => pack.current?.click() },
  ];
  return (
    <>
      <Menu
        items={items}
        trigger={
          <Button look="primary">
            <Upload /> Upload
          </Button>
        }
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={start("resource", chosenFiles)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder to upload"
        {...{ webkitdirectory: "" }}
        onChange={start("resource", chosenFolder)}
      />
      <input
        ref={pack}
        type="file"
        accept=".zip"
        hidden
        aria-label={`Pack to import to ${nameOf(uri)}`}
        onChange={start("pack", chosenFiles)}
      />
    </>
  );
}
