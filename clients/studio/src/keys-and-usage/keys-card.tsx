import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type ApiKey, type KeyOwner, useListKeys, useRevokeKey } from "../api/keys.ts";
import { ago, dateTime } from "../text/format.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Badge, Card } from "../ui/layout.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { toast } from "../ui/toasts.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

const PERMITS: Readonly<Record<string, string>> = {
  all: "everything",
  write: "all but administration",
  read: "reading only",
};

/** The API keys of a user: a main key, and additional ones for applications and agents. */
export function KeysCard({ owner }: { readonly owner: KeyOwner }) {
  const { data, error, refetch } = useListKeys(owner);
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<string>();
  const title = `Keys of ${owner.userId}`;
  return (
    <Card
      title={title}
      flush
      actions={
        data === undefined ? undefined : (
          <Button onClick={() => setAdding(true)}>
            <Plus /> New key
          </Button>
        )
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
      {data !== undefined && <KeyTable label={title} keys={data} onRevoke={setRevoked} />}
      {isAdding && <NewKeyDialog owner={owner} onClose={() => setAdding(false)} />}
      {revoked !== undefined && (
        <RevokeKey owner={owner} name={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </Card>
  );
}

interface KeyTableProps {
  readonly label: string;
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (name: string) => void;
}

function KeyTable({ label, keys, onRevoke }: KeyTableProps) {
  return (
    <Table
      label={label}
      rows={keys}
      rowKey={({ name }) => name}
      columns={[
        { title: "Key", cell: ({ name }) => <span className="font-medium">{name}</span> },
        { title: "Permits", cell: ({ access }) => PERMITS[access] ?? access },
        { title: "Agent", cell: ({ agentId }) => agentId ?? "any" },
        { title: "Created", cell: ({ createdAt }) => dateTime(createdAt) },
        { title: "Expires", cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
        {
          title: "Last used",
          cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : ago(lastUsedAt)),
        },
        {
          title: "Actions",
          hideTitle: true,
          numeric: true,
          cell: ({ name, access }) =>
            access !== "all" && (
              <IconButton label={`Revoke the key ${name}`} onClick={() => onRevoke(name)}>
                <Trash2 />
              </IconButton>
            ),
        },
      ]}
    />
  );
}

function Expiry({ expiresAt }: { readonly expiresAt: string | undefined }) {
  if (expiresAt === undefined) return "never";
  const hasExpired = new Date(expiresAt).getTime() <= Date.now();
  return (
    <>
      {dateTime(expiresAt)} {hasExpired && <Badge tone="warning">expired</Badge>}
    </>
  );
}

interface RevokeKeyProps {
  readonly owner: KeyOwner;
  readonly name: string;
  readonly onClose: () => void;
}

function RevokeKey({ owner, name, onClose }: RevokeKeyProps) {
  const revoke = useRevokeKey();
  return (
    <ConfirmDialog
      title={`Revoke the key ${name} of ${owner.userId}?`}
      hits={["The key stops working at once", "Calls and streams that it began end"]}
      name={name}
      action="Revoke key"
      call={revoke}
      onConfirm={() =>
        revoke.mutate(
          { ...owner, name },
          {
            onSuccess: () => {
              toast(`Revoked ${name}`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
