import { Link } from "@tanstack/react-router";
import { useRole } from "../../api/system.ts";
import { useListDeliveries, type WebhookDelivery } from "../../api/webhooks.ts";
import { count, dateTime } from "../../text/format.ts";
import { visibleText } from "../../text/uri.ts";
import { Badge } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

interface DeliveriesProps {
  readonly webhookId: string;
  /** Display name of the webhook. */
  readonly name: string;
}

const OUTCOMES: Readonly<
  Record<string, { readonly title: string; readonly tone: "accent" | "warning" | "danger" }>
> = {
  delivered: { title: "delivered", tone: "accent" },
  failed: { title: "failed", tone: "warning" },
  given_up: { title: "given up", tone: "danger" },
};

/**
 * The latest delivery attempts. A delivery that was given up is a dead letter, which administrators can
 * retry.
 */
export function Deliveries({ webhookId, name }: DeliveriesProps) {
  const { data, error, refetch } = useListDeliveries(webhookId);
  const administers = useRole() !== "user";
  if (error !== null) {
    return (
      <div className="px-4 pb-4">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className="px-4 pb-4">
        <Loading />
      </div>
    );
  }
  if (data.length === 0) return <p className="px-4 pb-4 text-[13px] text-soft italic">No deliveries yet.</p>;
  const isSomeDead = data.some(({ outcome }) => outcome === "given_up");
  return (
    <>
      {isSomeDead && (
        <p className="px-4 pb-3 text-[13px] text-soft">
          What was given up is a dead letter.{" "}
          {administers ? (
            <Link to="/tasks" search={{ view: "dead" }} className="text-accent underline">
              Send it again
            </Link>
          ) : (
            "An administrator can send it again."
          )}
        </p>
      )}
      <Table
        label={`Deliveries to ${name}`}
        rows={data}
        rowKey={({ deliveryId, attempt, at }) => `${deliveryId} ${attempt} ${at}`}
        columns={[
          {
            title: "Time",
            cell: ({ at }) => (
              <time dateTime={at} className="whitespace-nowrap">
                {dateTime(at)}
              </time>
            ),
          },
          { title: "Outcome", cell: (delivery) => <Outcome delivery={delivery} /> },
          { title: "Message", cell: ({ type }) => type },
          { title: "Changes", numeric: true, cell: ({ changes }) => count(changes) },
          { title: "Attempt", numeric: true, cell: ({ attempt }) => count(attempt) },
          { title: "Took", numeric: true, cell: ({ durationMs }) => `${count(durationMs)} ms` },
        ]}
      />
    </>
  );
}

function Outcome({ delivery: { outcome, status, error } }: { readonly delivery: WebhookDelivery }) {
  const { title, tone } = OUTCOMES[outcome] ?? { title: outcome, tone: "warning" };
  return (
    <span className="flex min-w-40 flex-col items-start gap-1">
      <Badge tone={tone}>
        {title}
        {status !== undefined && ` · ${status}`}
      </Badge>
      {error !== undefined && error !== `HTTP status ${status}` && (
        <span className="break-words text-xs text-soft">{visibleText(error)}</span>
      )}
    </span>
  );
}
