import { Link } from "@tanstack/react-router";
import { FlaskConical, MessagesSquare } from "lucide-react";
import { useStatNode } from "../../api/filesystem.ts";
import { useStatus } from "../../api/system.ts";
import { duration } from "../../text/format.ts";
import { Page } from "../../ui/layout.tsx";
import { Counts } from "./counts.tsx";
import { Health } from "./health.tsx";
import { Metrics } from "./metrics.tsx";
import { RunningTasks } from "./running-tasks.tsx";
import { Servers } from "./servers.tsx";
import { Welcome } from "./welcome.tsx";

/** Contents, health and activity of the server; first steps if it is empty. */
export function Home() {
  const { data: status } = useStatus();
  const { data: resources } = useStatNode("ctx://resources");
  const isEmpty = resources !== undefined && (resources.count ?? 0) === 0;
  return (
    <Page
      title={isEmpty ? "Welcome to ctxdb" : "Home"}
      about={
        status !== undefined &&
        `Workspace ${status.account} · ctxdb ${status.version}, up for ${duration(status.uptime)}`
      }
    >
      {isEmpty ? <Welcome /> : <NextSteps />}
      {!isEmpty && <Counts />}
      <div className="grid gap-5 lg:grid-cols-2">
        <Health />
        <RunningTasks />
      </div>
      <Servers />
      <Metrics />
    </Page>
  );
}

/** Links to the most frequent actions. */
function NextSteps() {
  const step =
    "flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-[13px] font-medium hover:border-line-strong";
  return (
    <nav aria-label="Next steps" className="flex flex-wrap gap-2">
      <Link to="/search" className={step}>
        <FlaskConical className="size-4 text-accent" aria-hidden /> Ask what is stored
      </Link>
      <Link to="/sessions" className={step}>
        <MessagesSquare className="size-4 text-accent" aria-hidden /> Hold a session
      </Link>
    </nav>
  );
}
