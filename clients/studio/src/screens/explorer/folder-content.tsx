import { FileText, Folder, FolderPlus } from "lucide-react";
import type { Entry } from "../../../../typescript/src/groups/fs.ts";
import { useMayWrite } from "../../api/access.ts";
import { useListAbstracts } from "../../api/filesystem.ts";
import { ago, bytes } from "../../text/format.ts";
import { nameOf, visible, visibleText } from "../../text/uri.ts";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { uploadFolder } from "./places.ts";

/** Maximum number of entries shown with their abstracts; the tree shows all. */
const MAX_SHOWN = 200;

interface FolderContentProps {
  readonly uri: string;
  readonly onSelect: (uri: string) => void;
}

/** The entries of a folder with their abstracts. */
export function FolderContent({ uri, onSelect }: FolderContentProps) {
  const { data, error, refetch } = useListAbstracts(uri, MAX_SHOWN);
  const mayUpload = useMayWrite(uploadFolder(uri));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={8} />;
  if (data.entries.length === 0) {
    return (
      <Empty icon={FolderPlus} title="This folder is empty">
        {mayUpload && "Drop files or folders anywhere on this page, or use Upload."}
      </Empty>
    );
  }
  return (
    <>
      <ul className="flex flex-col">
        {data.entries.map((entry) => (
          <Item key={entry.uri} entry={entry} onSelect={onSelect} />
        ))}
      </ul>
      {data.nextCursor !== undefined && (
        <p className="mt-3 text-xs text-soft">The first {MAX_SHOWN} are shown. The tree has all of them.</p>
      )}
    </>
  );
}

function Item({ entry, onSelect }: { readonly entry: Entry; readonly onSelect: (uri: string) => void }) {
  const Icon = entry.isDir ? Folder : FileText;
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        onClick={() => onSelect(entry.uri)}
        className="flex w-full items-start gap-3 rounded-md px-2 py-2.5 text-left -outline-offset-2 hover:bg-sunken/70"
      >
        <Icon className={`mt-0.5 size-4 shrink-0 ${entry.isDir ? "text-accent" : "text-soft"}`} aria-hidden />
        <span className="min-w-0 flex-1">
          <bdi className="block font-medium break-words">{visible(nameOf(entry.uri))}</bdi>
          {entry.abstract !== undefined && entry.abstract !== "" && (
            <span className="line-clamp-2 text-[13px] text-soft" dir="auto">
              {visibleText(entry.abstract)}
            </span>
          )}
        </span>
        <span className="hidden shrink-0 text-right text-xs text-soft tabular-nums sm:block">
          {!entry.isDir && <span className="block">{bytes(entry.size)}</span>}
          {new Date(entry.modTime).getTime() > 0 && ago(entry.modTime)}
        </span>
      </button>
    </li>
  );
}
