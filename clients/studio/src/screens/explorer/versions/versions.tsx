import { Download, FileText, GitCompare, History } from "lucide-react";
import { useState } from "react";
import type { FileVersion } from "../../../../../typescript/src/gen/ctxdb/v1/content_pb.ts";
import type { StatNodeResponse } from "../../../../../typescript/src/gen/ctxdb/v1/filesystem_pb.ts";
import { useMayWrite } from "../../../api/access.ts";
import { useDownload } from "../../../api/content.ts";
import { useListVersions } from "../../../api/versions.ts";
import { bytes, dateTime, plural } from "../../../text/format.ts";
import { visible } from "../../../text/uri.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Badge } from "../../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../../ui/states.tsx";
import { toastError } from "../../../ui/toasts.tsx";
import { isWritable } from "../places.ts";
import { RestoreDialog } from "./restore-dialog.tsx";
import { Comparison, VersionText } from "./version-text.tsx";

/** What is expanded below a version: its text, or its differences from another version. */
type Opened = { readonly version: number; readonly since?: number };

/** The versions of a file. */
export function Versions({ node }: { readonly node: StatNodeResponse }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useListVersions(node.uri);
  const mayWrite = useMayWrite(node.uri);
  const [opened, setOpened] = useState<Opened>();
  const [restoring, setRestoring] = useState<number>();
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading lines={6} />;
  const versions = data.pages.flatMap((page) => page.versions);
  const current = versions.find(({ isCurrent }) => isCurrent);
  if (current === undefined) return <Empty icon={History} title="This file has no stored versions" />;
  const toggle = (next: Opened) =>
    setOpened(opened?.version === next.version && opened.since === next.since ? undefined : next);
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <p className="text-[13px] text-soft">
        {plural(data.pages[0]?.total ?? versions.length, "version")}. Every change of the file keeps the
        content before it.
      </p>
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {versions.map((version, index) => (
          <li key={version.version} className="flex flex-col gap-3 p-3">
            <Row
              node={node}
              version={version}
              before={versions[index + 1]?.version}
              opened={opened?.version === version.version ? opened : undefined}
              onOpen={toggle}
              {...(mayWrite &&
                isWritable(node.uri) &&
                !version.isCurrent && { onRestore: () => setRestoring(version.version) })}
            />
            {opened?.version === version.version &&
              (opened.since === undefined ? (
                <VersionText uri={node.uri} version={version} />
              ) : (
                <Comparison uri={node.uri} from={opened.since} to={version.version} />
              ))}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More versions
        </Button>
      )}
      {restoring !== undefined && (
        <RestoreDialog
          uri={node.uri}
          version={restoring}
          etag={current.etag}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </div>
  );
}

interface RowProps {
  readonly node: StatNodeResponse;
  readonly version: FileVersion;
  /** Number of the previous version, if stored. */
  readonly before: number | undefined;
  readonly opened: Opened | undefined;
  readonly onOpen: (opened: Opened) => void;
  readonly onRestore?: () => void;
}

function Row({ node, version, before, opened, onOpen, onRestore }: RowProps) {
  const { version: number, isCurrent, size, modified, user, change } = version;
  const download = useDownload();
  const save = () =>
    download.mutate(
      { uri: node.uri, name: `version-${number}-${node.name}`, version: number },
      { onError: toastError },
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="flex min-w-0 flex-1 basis-full flex-wrap items-center gap-x-2 gap-y-1 text-[13px] sm:basis-0">
        <span className="font-medium">Version {number}</span>
        {isCurrent && <Badge tone="accent">current</Badge>}
        <span className="text-soft tabular-nums">
          {dateTime(modified)}
          {user !== undefined && `, by ${visible(user)}`}
          {change !== undefined && `, ${change}`}, {bytes(size)}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-1">
        {before !== undefined && (
          <Button
            look="quiet"
            aria-expanded={opened?.since !== undefined}
            onClick={() => onOpen({ version: number, since: before })}
          >
            <GitCompare /> Changes
          </Button>
        )}
        <Button
          look="quiet"
          aria-expanded={opened !== undefined && opened.since === undefined}
          onClick={() => onOpen({ version: number })}
        >
          <FileText /> Text
        </Button>
        {onRestore !== undefined && (
          <Button look="quiet" onClick={onRestore}>
            <History /> Restore
          </Button>
        )}
        <IconButton label={`Download version ${number}`} disabled={download.isPending} onClick={save}>
          <Download />
        </IconButton>
      </div>
    </div>
  );
}
