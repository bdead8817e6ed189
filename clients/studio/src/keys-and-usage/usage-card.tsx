import { Gauge } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type ResourceUsage, type Retention, useUsage } from "../api/usage.ts";
import { bytes, count, dateTime, plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Badge, Card } from "../ui/layout.tsx";
import { Meter } from "../ui/meter.tsx";
import { Failure, Loading } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";

const QuotasDialog = lazy(() =>
  import("./quotas-dialog.tsx").then(({ QuotasDialog }) => ({ default: QuotasDialog })),
);

const TITLES: Readonly<Record<string, string>> = {
  stored_bytes: "Storage",
  version_bytes: "Storage of earlier versions",
  nodes: "Files, folders and sections",
  chunks: "Indexed chunks",
  requests_per_minute: "Requests this minute",
  model_tokens_per_day: "Model tokens today",
  queued_bytes: "Waiting for processing",
  queued_jobs: "Waiting jobs",
};

const KINDS: Readonly<Record<string, string>> = {
  version_days: "Earlier versions",
  trash_days: "Trash",
  task_days: "Finished tasks",
  session_days: "Sessions without changes",
  audit_days: "Audited calls",
};

/** Share of a limit from which the resource is marked as nearly used up. */
const NEAR = 0.8;

interface UsageCardProps {
  readonly account: string;
  /** Whether the workspace is not the caller's own. */
  readonly isForeign?: boolean;
  readonly mayEdit?: boolean;
}

/** Usage of each limited resource, so that users see a limit before it refuses a call. */
export function UsageCard({ account, isForeign = false, mayEdit = false }: UsageCardProps) {
  const { data, error, refetch } = useUsage(isForeign ? account : undefined);
  const [isEditing, setEditing] = useState(false);
  return (
    <Card
      title={`Usage of ${account}`}
      actions={
        mayEdit && data !== undefined ? (
          <Button onClick={() => setEditing(true)}>
            <Gauge /> Edit quotas
          </Button>
        ) : undefined
      }
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {data.resources.map((one) => (
            <Usage key={one.resource} usage={one} />
          ))}
        </ul>
      )}
      {data !== undefined && data.retention.length > 0 && <Kept retention={data.retention} />}
      {isEditing && data !== undefined && (
        <Suspense>
          <QuotasDialog
            account={account}
            resources={data.resources}
            retention={data.retention}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      )}
    </Card>
  );
}

function Usage({
  usage: { resource, unit, used, limit, source, resetsAt },
}: {
  readonly usage: ResourceUsage;
}) {
  const amount = unit === "bytes" ? bytes : count;
  const title = TITLES[resource] ?? resource;
  const text = limit === undefined ? amount(used) : `${amount(used)} of ${amount(limit)}`;
  const share = limit === undefined ? 0 : used / limit;
  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-[13px] font-medium">
          {title} {share >= NEAR && <Mark share={share} />}
        </span>
        <span className="text-[13px] tabular-nums">{text}</span>
      </div>
      {limit !== undefined && (
        <Meter
          label={title}
          value={used}
          max={limit}
          text={text}
          tone={share >= 1 ? "danger" : share >= NEAR ? "warning" : "neutral"}
        />
      )}
      <p className="mt-1 text-xs text-soft">
        {limit === undefined
          ? "No limit"
          : source === "quota"
            ? "Quota of this workspace"
            : "Limit of the server"}
        {resetsAt !== undefined && `, resets ${dateTime(resetsAt)}`}
      </p>
    </li>
  );
}

/** Retention of past data. */
function Kept({ retention }: { readonly retention: readonly Retention[] }) {
  return (
    <div className="mt-5">
      <Table
        label="Retention"
        rows={retention}
        rowKey={({ kind }) => kind}
        columns={[
          { title: "Past data", cell: ({ kind }) => KINDS[kind] ?? kind },
          {
            title: "Kept for",
            cell: ({ days }) => (days === undefined ? "no limit of time" : plural(days, "day")),
          },
          {
            title: "Set by",
            cell: ({ source }) => (source === "quota" ? "this workspace" : "the server"),
          },
        ]}
      />
    </div>
  );
}

/** States the meaning of the bar's colour as text, for users who cannot distinguish colours. */
function Mark({ share }: { readonly share: number }) {
  return share >= 1 ? <Badge tone="danger">full</Badge> : <Badge tone="warning">nearly full</Badge>;
}
