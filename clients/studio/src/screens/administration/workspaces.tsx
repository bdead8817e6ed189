import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Account } from "../../../../typescript/src/gen/ctxdb/v1/account_pb.ts";
import { useAccounts, useDeleteAccount } from "../../api/accounts.ts";
import { count, dateTime, plural } from "../../text/format.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toasts.tsx";
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx";

interface WorkspacesProps {
  readonly selected: string | undefined;
  readonly onSelect: (account: string | undefined) => void;
}

export function Workspaces({ selected, onSelect }: WorkspacesProps) {
  const { data, error, refetch } = useAccounts();
  const remove = useDeleteAccount();
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Account>();
  return (
    <Card
      title="Workspaces"
      flush
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus /> New workspace
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
        <p className="p-4 text-soft">No workspace yet. The root key acts in the workspace “default”.</p>
      )}
      {data !== undefined && data.length > 0 && (
        <Table
          label="Workspaces"
          rows={data}
          rowKey={({ accountId }) => accountId}
          columns={[
            {
              title: "Workspace",
              cell: ({ accountId }) => (
                <button
                  type="button"
                  aria-pressed={accountId === selected}
                  onClick={() => onSelect(accountId)}
                  className="font-medium text-accent hover:underline aria-pressed:underline"
                >
                  {accountId}
                </button>
              ),
            },
            { title: "Users", numeric: true, cell: ({ userCount }) => count(userCount) },
            { title: "Created", cell: ({ createdAt }) => dateTime(createdAt) },
            {
              title: "Actions",
              hideTitle: true,
              numeric: true,
              cell: (account) => (
                <IconButton label={`Delete ${account.accountId}`} onClick={() => setDeleting(account)}>
                  <Trash2 />
                </IconButton>
              ),
            },
          ]}
        />
      )}
      {adding && <NewWorkspaceDialog onClose={() => setAdding(false)} onMade={onSelect} />}
      {deleting !== undefined && (
        <ConfirmDialog
          title={`Delete the workspace ${deleting.accountId}?`}
          hits={[
            `${plural(deleting.userCount, "user")} and their keys`,
            "All resources, skills, memories and sessions",
            "The whole search index of the workspace",
          ]}
          name={deleting.accountId}
          action="Delete workspace"
          call={remove}
          onConfirm={() =>
            remove.mutate(deleting.accountId, {
              onSuccess: () => {
                toast(`Deleted ${deleting.accountId}`);
                setDeleting(undefined);
                onSelect(undefined);
              },
            })
          }
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Card>
  );
}
