import { useMembers } from "../../api/observer.ts";
import { useRole } from "../../api/system.ts";
import { visible } from "../../text/uri.ts";
import { Card } from "../../ui/layout.tsx";
import { StatusTable } from "../../ui/status-table.tsx";

const TITLE = "Servers";
const HEAD = ["Server", "URL", "Lease", "Workspaces"] as const;

/** The servers that share a store, and how many workspaces each of them owns. */
export function Servers() {
  const { data: members = [] } = useMembers(useRole() === "root");
  if (members.length === 0) return null;
  const rows = members.map(({ number, url, isAnswering, leaseSeconds, accountCount }) => [
    isAnswering ? `${number} (answers)` : `${number}`,
    visible(url),
    `${leaseSeconds.toFixed(1)} s`,
    `${accountCount}`,
  ]);
  return (
    <Card title={TITLE}>
      <StatusTable label={TITLE} table={{ head: HEAD, rows }} />
    </Card>
  );
}
