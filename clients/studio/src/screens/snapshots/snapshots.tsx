import { Camera, Plus } from "lucide-react";
import { useState } from "react";
import { useListSnapshots } from "../../api/snapshots.ts";
import { plural } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/layout.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { NewSnapshotDialog } from "./new-snapshot-dialog.tsx";
import { SnapshotTable } from "./snapshot-table.tsx";
import { SnapshotView } from "./snapshot-view.tsx";

/** Named states of folders: list, look into, compare, restore and delete them. */
export function Snapshots() {
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<string>();
  const list = useListSnapshots();
  const { data, error, refetch } = list;
  const snapshots = data?.pages.flatMap((page) => page.snapshots) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  const shown = snapshots.find(({ name }) => name === opened);
  return (
    <Page
      title="Snapshots"
      about={
        total > 0
          ? `${plural(total, "snapshot")} that you can use.`
          : "A snapshot names the current state of a folder. It is created at once and copies nothing."
      }
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          <Plus /> New snapshot
        </Button>
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && snapshots.length === 0 && (
        <Empty icon={Camera} title="No snapshots yet">
          Create one before a large change. You can compare with it, and restore all of it or a part.
        </Empty>
      )}
      {snapshots.length > 0 && <SnapshotTable snapshots={snapshots} onOpen={setOpened} />}
      <MoreButton list={list} label="Older ones" />
      {shown && <SnapshotView key={shown.name} snapshot={shown} others={snapshots} />}
      {isCreating && <NewSnapshotDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
