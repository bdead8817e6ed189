import { KeyRound, Plus, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { User } from "../../../../typescript/src/gen/ctxdb/v1/account_pb.ts";
import { useRegenerateUserKey, useRemoveUser, useSetUserRole, useUsers } from "../../api/accounts.ts";
import { KeyDialog } from "../../keys-and-usage/key-dialog.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Badge, Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toasts.tsx";
import { NewUserDialog } from "./new-user-dialog.tsx";

interface UsersProps {
  readonly account: string;
  readonly mayChangeRoles: boolean;
  /** The user whose keys are shown. */
  readonly selected: string | undefined;
  readonly onSelect: (user: string | undefined) => void;
}

type Open = { readonly what: "new" } | { readonly what: "remove" | "key"; readonly user: User } | undefined;

/** The users of a workspace, with their roles and keys. */
export function Users({ account, mayChangeRoles, selected, onSelect }: UsersProps) {
  const { data, error, refetch } = useUsers(account);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Card
      title={`Users of ${account}`}
      flush
      actions={
        <Button onClick={() => setOpen({ what: "new" })}>
          <Plus /> New user
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
      {data !== undefined && (
        <Table
          label={`Users of ${account}`}
          rows={data}
          rowKey={({ userId }) => userId}
          columns={[
            { title: "User", cell: ({ userId }) => <span className="font-medium">{userId}</span> },
            {
              title: "Role",
              cell: (user) =>
                mayChangeRoles ? <RoleSelect account={account} user={user} /> : <Badge>{user.role}</Badge>,
            },
            {
              title: "Actions",
              hideTitle: true,
              numeric: true,
              cell: (user) => (
                <span className="inline-flex">
                  <IconButton
                    label={`Keys of ${user.userId}`}
                    aria-pressed={user.userId === selected}
                    onClick={() => onSelect(user.userId === selected ? undefined : user.userId)}
                  >
                    <KeyRound />
                  </IconButton>
                  <IconButton
                    label={`New key for ${user.userId}`}
                    onClick={() => setOpen({ what: "key", user })}
                  >
                    <RefreshCw />
                  </IconButton>
                  <IconButton
                    label={`Remove ${user.userId}`}
                    onClick={() => setOpen({ what: "remove", user })}
                  >
                    <Trash2 />
                  </IconButton>
                </span>
              ),
            },
          ]}
        />
      )}
      {open?.what === "new" && <NewUserDialog account={account} onClose={close} />}
      {open?.what === "key" && <NewKey account={account} user={open.user} onClose={close} />}
      {open?.what === "remove" && (
        <RemoveUser
          account={account}
          user={open.user}
          onRemoved={() => open.user.userId === selected && onSelect(undefined)}
          onClose={close}
        />
      )}
    </Card>
  );
}

function RoleSelect({ account, user }: { readonly account: string; readonly user: User }) {
  const setRole = useSetUserRole();
  return (
    <Select
      label={`Role of ${user.userId}`}
      hideLabel
      className="w-28"
      value={user.role}
      disabled={setRole.isPending}
      onChange={(event) =>
        setRole.mutate(
          { accountId: account, userId: user.userId, role: event.target.value },
          { onError: toastError },
        )
      }
    >
      <option value="admin">admin</option>
      <option value="user">user</option>
    </Select>
  );
}

interface ForUser {
  readonly account: string;
  readonly user: User;
  readonly onClose: () => void;
}

function NewKey({ account, user: { userId }, onClose }: ForUser) {
  const renew = useRegenerateUserKey();
  if (renew.data !== undefined) return <KeyDialog owner={userId} apiKey={renew.data} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Replace the key of ${userId}?`}
      hits={[
        "The key in use stops working at once",
        "Programs that use it are signed out and their calls end",
      ]}
      name={userId}
      action="Replace key"
      call={renew}
      onConfirm={() => renew.mutate({ accountId: account, userId })}
      onClose={onClose}
    />
  );
}

function RemoveUser({
  account,
  user: { userId },
  onRemoved,
  onClose,
}: ForUser & { readonly onRemoved: () => void }) {
  const remove = useRemoveUser();
  return (
    <ConfirmDialog
      title={`Remove ${userId} from ${account}?`}
      hits={[
        "The key stops working at once",
        "The user's memories, sessions and agents' notes",
        "Resources and skills of the workspace stay",
      ]}
      name={userId}
      action="Remove user"
      call={remove}
      onConfirm={() =>
        remove.mutate(
          { accountId: account, userId },
          {
            onSuccess: () => {
              toast(`Removed ${userId}`);
              onRemoved();
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
