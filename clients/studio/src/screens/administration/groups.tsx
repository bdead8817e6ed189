import { Plus, Trash2, UsersRound } from "lucide-react";
import { useState } from "react";
import { type Group, useCreateGroup, useDeleteGroup, useListGroups } from "../../api/groups.ts";
import { IDENTIFIER_HINT } from "../../keys-and-usage/identifier.ts";
import { count, dateTime, plural } from "../../text/format.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Card } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toasts.tsx";
import { GroupMembers } from "./group-members.tsx";

type Open =
  | { readonly what: "new" }
  | { readonly what: "members" | "delete"; readonly groupId: string }
  | undefined;

/** Groups of users of a workspace, to which files can be shared. */
export function Groups({ account }: { readonly account: string }) {
  const { data, error, refetch } = useListGroups(account);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const chosen = data?.find(
    ({ groupId }) => open !== undefined && open.what !== "new" && open.groupId === groupId,
  );
  return (
    <Card
      title={`Groups of ${account}`}
      flush
      actions={
        <Button onClick={() => setOpen({ what: "new" })}>
          <Plus /> New group
        </Button>
      }
    >
      {error !== null && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data === undefined && error === null && (
        <div className="p-4">
          <Loading />
        </div>
      )}
      {data?.length === 0 && (
        <Empty icon={UsersRound} title="No groups yet">
          Files and folders can be shared with all members of a group at once.
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <GroupTable label={`Groups of ${account}`} groups={data} onOpen={setOpen} />
      )}
      {open?.what === "new" && <NewGroupDialog account={account} onClose={close} />}
      {open?.what === "members" && chosen !== undefined && (
        <GroupMembers account={account} group={chosen} onClose={close} />
      )}
      {open?.what === "delete" && chosen !== undefined && (
        <DeleteGroupDialog account={account} group={chosen} onClose={close} />
      )}
    </Card>
  );
}

interface GroupTableProps {
  readonly label: string;
  readonly groups: readonly Group[];
  readonly onOpen: (open: Open) => void;
}

function GroupTable({ label, groups, onOpen }: GroupTableProps) {
  return (
    <Table
      label={label}
      rows={groups}
      rowKey={({ groupId }) => groupId}
      columns={[
        { title: "Group", cell: ({ groupId }) => <span className="font-medium">{groupId}</span> },
        { title: "Members", numeric: true, cell: ({ members }) => count(members.length) },
        { title: "Created", cell: ({ createdAt }) => dateTime(createdAt) },
        {
          title: "Actions",
          hideTitle: true,
          numeric: true,
          cell: ({ groupId }) => (
            <span className="inline-flex">
              <IconButton
                label={`Members of ${groupId}`}
                onClick={() => onOpen({ what: "members", groupId })}
              >
                <UsersRound />
              </IconButton>
              <IconButton label={`Delete ${groupId}`} onClick={() => onOpen({ what: "delete", groupId })}>
                <Trash2 />
              </IconButton>
            </span>
          ),
        },
      ]}
    />
  );
}

interface NewGroupDialogProps {
  readonly account: string;
  readonly onClose: () => void;
}

function NewGroupDialog({ account, onClose }: NewGroupDialogProps) {
  const [groupId, setGroupId] = useState("");
  const create = useCreateGroup();
  const submit = () =>
    create.mutate(
      { accountId: account, groupId: groupId.trim() },
      {
        onSuccess: () => {
          toast(`Created ${groupId.trim()}`);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="New group"
      about={`In ${account}, without members.`}
      action="Create group"
      disabled={groupId.trim() === ""}
      call={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        hint={IDENTIFIER_HINT}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={groupId}
        onChange={(event) => setGroupId(event.target.value)}
      />
    </FormDialog>
  );
}

interface DeleteGroupDialogProps {
  readonly account: string;
  readonly group: Group;
  readonly onClose: () => void;
}

function DeleteGroupDialog({ account, group: { groupId, members }, onClose }: DeleteGroupDialogProps) {
  const remove = useDeleteGroup();
  const confirm = () =>
    remove.mutate(
      { accountId: account, groupId },
      {
        onSuccess: () => {
          toast(`Deleted ${groupId}`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Delete the group ${groupId}?`}
      hits={[
        "All grants to the group, also those that deny access",
        `${plural(members.length, "member")} of it; the users stay`,
      ]}
      name={groupId}
      action="Delete group"
      call={remove}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
