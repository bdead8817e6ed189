import { ScrollText } from "lucide-react";
import { type AuditEntry, useListAudit } from "../../api/audit.ts";
import { dateTime } from "../../text/format.ts";
import { visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Card } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

/** Audit log of administrative and refused calls: who, what, from where, and with which outcome. */
export function Audit({ showsPeers }: { readonly showsPeers: boolean }) {
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } = useListAudit();
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card
      title="Audit log"
      flush
      actions={
        <Button busy={isFetching} onClick={() => void refetch()}>
          Refresh
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
      {data !== undefined && entries.length === 0 && (
        <Empty icon={ScrollText} title="No administrative or refused calls yet" />
      )}
      {entries.length > 0 && (
        <Table
          label="Audit log"
          rows={entries}
          rowKey={({ requestId, at, operation }) => `${at} ${requestId} ${operation}`}
          columns={[
            {
              title: "Time",
              cell: ({ at }) => (
                <time dateTime={at} className="whitespace-nowrap">
                  {dateTime(at)}
                </time>
              ),
            },
            { title: "Who", cell: (entry) => <Who entry={entry} /> },
            { title: "Operation", cell: (entry) => <What entry={entry} /> },
            {
              title: "Outcome",
              cell: ({ code }) => <Badge tone={code === "OK" ? "accent" : "danger"}>{code}</Badge>,
            },
            {
              title: showsPeers ? "From" : "Wire",
              cell: ({ peer, wire }) => (
                <span className="whitespace-nowrap">{peer === "" ? wire : `${visible(peer)} · ${wire}`}</span>
              ),
            },
          ]}
        />
      )}
      {hasNextPage && (
        <div className="p-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older entries
          </Button>
        </div>
      )}
    </Card>
  );
}

function Who({ entry: { user, account, role } }: { readonly entry: AuditEntry }) {
  if (role === "") return <span className="text-soft">unknown key</span>;
  return (
    <span>
      <span className="font-medium">{user}</span>{" "}
      <span className="text-soft">
        in {account} ({role})
      </span>
    </span>
  );
}

function What({ entry: { operation, subject } }: { readonly entry: AuditEntry }) {
  return (
    <span>
      {operation.replace(/^\w+Service\./, "")}
      {subject !== "" && <span className="block break-all text-soft">{visible(subject)}</span>}
    </span>
  );
}
