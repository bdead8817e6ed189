import { useStatNode } from "../../api/filesystem.ts";
import { useListMetrics } from "../../api/metrics.ts";
import { tableOf, useSystemState } from "../../api/observer.ts";
import { useListSessions } from "../../api/sessions.ts";
import { useListSkills } from "../../api/skills.ts";
import { useRole, useStatus } from "../../api/system.ts";
import { bytes, count } from "../../text/format.ts";

/** Number of items of each kind. */
export function Counts() {
  const user = useStatus().data?.user ?? "default";
  const resources = useStatNode("ctx://resources").data?.count;
  // a user without memories has no folder for them
  const memories = useStatNode(`ctx://user/${user}/memories`);
  const skills = useListSkills().data?.length;
  const sessions = useListSessions().data?.pages[0];
  const vectors = useSystemState().data?.components?.vectordb?.status;
  // sum of all workspaces, for ROOT
  const isRoot = useRole() === "root";
  const stored = useListMetrics("10s", isRoot).data?.findLast(({ storedBytes }) => storedBytes !== undefined);
  const shownSessions = sessions?.sessions.length ?? 0;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
      <Count title="Resource nodes" value={resources} />
      <Count title="Memory nodes" value={memories.data?.count ?? (memories.isError ? 0 : undefined)} />
      <Count title="Skills" value={skills} />
      <Count title="Sessions" value={sessions && shownSessions} more={sessions?.nextCursor !== undefined} />
      <Count title="Vectors" value={vectors === undefined ? undefined : vectorsOf(vectors)} />
      {stored !== undefined && <Count title="Stored" value={bytes(stored.storedBytes ?? 0)} />}
    </dl>
  );
}

/** The sums are in the last row of the observer's table. */
function vectorsOf(status: string): number {
  const { head, rows } = tableOf(status);
  return Number(rows.at(-1)?.[head.indexOf("Vector Count")] ?? 0);
}

interface CountProps {
  readonly title: string;
  readonly value: number | string | undefined;
  /** Whether `value` is only a lower bound. */
  readonly more?: boolean;
}

function Count({ title, value, more = false }: CountProps) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <dt className="text-[13px] text-soft">{title}</dt>
      <dd className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">
        {typeof value === "number" ? count(value) : (value ?? "–")}
        {more && "+"}
      </dd>
    </div>
  );
}
