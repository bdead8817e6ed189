import { useMembers } from "../../api/observer.ts";
import { useRole } from "../../api/system.ts";
import { visible } from "../../text/uri.ts";
import { Card } from "../../ui/layout.tsx";
import { StatusTable } from "../../ui/status-table.tsx";
import { DrainButton } from "./drain-button.tsx";

const TITLE = "Servers";
const HEAD = ["Server", "URL", "Lease", "State", "Workspaces"] as const;
const MOVING = "Workspaces that move to another server";
const MOVING_HEAD = ["Workspace", "From", "To", "State", "Because"] as const;
/** Number of hand-overs shown. */
const MAX_MOVING = 20;

/** The servers that share a store, the number of workspaces of each, and the hand-overs between them. */
export function Servers() {
  const { data } = useMembers(useRole() === "root");
  const { members = [], handOvers = [] } = data ?? {};
  if (members.length === 0) return null;
  const rows = members.map(({ number, url, isAnswering, leaseSeconds, isDraining, accountCount }) => [
    isAnswering ? `${number} (answers)` : `${number}`,
    visible(url),
    `${leaseSeconds.toFixed(1)} s`,
    isDraining ? "draining" : "ready",
    `${accountCount}`,
  ]);
  const moving = handOvers
    .slice(0, MAX_MOVING)
    .map(({ account, from, to, state, reason }) => [
      visible(account),
      `${from || "–"}`,
      `${to}`,
      state,
      reason,
    ]);
  return (
    <Card title={TITLE}>
      <StatusTable label={TITLE} table={{ head: HEAD, rows }} />
      {members.length > 1 && (
        <div className="mt-3 flex flex-wrap gap-2">
          {members.map(({ number, isDraining, accountCount }) => (
            <DrainButton key={number} number={number} isDraining={isDraining} accountCount={accountCount} />
          ))}
        </div>
      )}
      {moving.length > 0 && <StatusTable label={MOVING} table={{ head: MOVING_HEAD, rows: moving }} />}
    </Card>
  );
}
