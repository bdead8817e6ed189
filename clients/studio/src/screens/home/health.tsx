import { CircleAlert, CircleCheck } from "lucide-react";
import { tableOf, useSystemState } from "../../api/observer.ts";
import { Card } from "../../ui/layout.tsx";
import { Failure, Loading } from "../../ui/states.tsx";
import { StatusTable } from "../../ui/status-table.tsx";

/** Whether all components work, and how long the queues are. */
export function Health() {
  const { data, error, refetch } = useSystemState();
  return (
    <Card title="Health">
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <div className="flex flex-col gap-4">
          <p className="flex items-center gap-2 font-medium">
            {data.isHealthy ? (
              <>
                <CircleCheck className="size-4 text-accent" aria-hidden /> All parts work
              </>
            ) : (
              <>
                <CircleAlert className="size-4 text-danger" aria-hidden /> Something is wrong
              </>
            )}
          </p>
          {data.errors.map((error) => (
            <p key={error} className="rounded-lg bg-danger-ground p-2 text-[13px] text-danger">
              {error}
            </p>
          ))}
          <StatusTable label="Queues" table={tableOf(data.components?.queue?.status ?? "")} />
        </div>
      )}
    </Card>
  );
}
