import { getRouteApi } from "@tanstack/react-router";
import { Brain, Eraser, Search as SearchIcon } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { codeOf } from "../../api/client.ts";
import { useListTree } from "../../api/filesystem.ts";
import { useFindIn } from "../../api/search.ts";
import { useStatus } from "../../api/system.ts";
import { useIdentity } from "../../identity/identity.ts";
import { count } from "../../text/format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/layout.tsx";
import { Empty, Failure, Loading } from "../../ui/states.tsx";
import { hitsOf } from "../search/hits.ts";
import { ForgetByDialog } from "./forget-by-dialog.tsx";
import { Memory } from "./memory.tsx";
import { MemoryGroup } from "./memory-group.tsx";
import { byCategory, byDay, type MemoryEntry, memoriesOf } from "./memory-list.ts";

const route = getRouteApi("/memories");

/** Maximum number of memories listed; a search finds all. */
const MAX_LISTED = 1_000;

/** Memories about the user, and those of the agent. */
export function Memories() {
  const { uri } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState("");
  const [order, setOrder] = useState<"category" | "time">("category");
  const [forgetting, setForgetting] = useState(false);
  const open = (next: string | undefined) => void navigate({ search: { uri: next } });
  const memories = useMemories();
  const wanted = useDeferredValue(text.trim());
  const found = useFindIn(wanted, memories.roots);
  const shown = wanted === "" ? memories.list : found.data && asMemories(found.data);
  const groups =
    shown &&
    (wanted !== ""
      ? ([["Best matches", shown]] as const)
      : order === "category"
        ? byCategory(shown)
        : byDay(shown));
  const error = memories.error ?? found.error;
  return (
    <Page
      title="Memories"
      about="Memories from committed sessions: about you, and what your agent has learned."
      actions={
        <Button look="danger" onClick={() => setForgetting(true)}>
          <Eraser /> Forget by words
        </Button>
      }
    >
      <div className="flex flex-wrap gap-2">
        <div className="relative min-w-56 flex-1">
          <SearchIcon className="pointer-events-none absolute top-2 left-2.5 size-4 text-soft" aria-hidden />
          <input
            type="search"
            aria-label="Search memories"
            placeholder="Search memories by meaning"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-8 w-full rounded-md border border-line-strong/60 bg-surface pl-8 placeholder:text-soft"
          />
        </div>
        <Button
          aria-pressed={order === "category"}
          look={order === "category" ? "primary" : "plain"}
          onClick={() => setOrder("category")}
        >
          By category
        </Button>
        <Button
          aria-pressed={order === "time"}
          look={order === "time" ? "primary" : "plain"}
          onClick={() => setOrder("time")}
        >
          Timeline
        </Button>
      </div>
      {error !== null && <Failure error={error} />}
      {groups === undefined && error === null && <Loading lines={6} />}
      {shown?.length === 0 && (
        <Empty icon={Brain} title={wanted === "" ? "Nothing is remembered yet" : "No memory matches"}>
          {wanted === ""
            ? "Start a session and commit it. Facts such as “I prefer green tea” appear here, with the original messages."
            : "Try other words."}
        </Empty>
      )}
      {groups !== undefined && groups.length > 0 && (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            {memories.isCut && wanted === "" && (
              <p className="text-[13px] text-soft">
                The first {count(MAX_LISTED)} are listed. Searching finds all of them.
              </p>
            )}
            {groups.map(([title, entries]) => (
              <MemoryGroup key={title} title={title} memories={entries} selected={uri} onSelect={open} />
            ))}
          </div>
          {uri !== undefined && (
            <Memory key={uri} uri={uri} onSelect={open} onForgotten={() => open(undefined)} />
          )}
          {uri === undefined && (
            <Card className="hidden lg:block">
              <p className="text-soft">Choose a memory to see its text, its history and its sources.</p>
            </Card>
          )}
        </div>
      )}
      {forgetting && (
        <ForgetByDialog onClose={() => setForgetting(false)} onForgotten={() => open(undefined)} />
      )}
    </Page>
  );
}

/** Memories of the user and the agent; a space without memories has no folder. */
function useMemories() {
  const { agent = "default" } = useIdentity();
  const user = useStatus().data?.user ?? "default";
  const roots = [`ctx://user/${user}/memories`, `ctx://agent/${agent}/memories`];
  const ofUser = useListTree(roots[0] ?? "", MAX_LISTED);
  const ofAgent = useListTree(roots[1] ?? "", MAX_LISTED);
  const queries = [ofUser, ofAgent];
  const isMissing = (error: unknown) => error === null || codeOf(error) === "NOT_FOUND";
  const error = queries.map((query) => query.error).find((one) => !isMissing(one)) ?? null;
  const loading = queries.some(({ data, error: one }) => data === undefined && one === null);
  return {
    roots,
    error,
    isCut: queries.some(({ data }) => data?.nextCursor !== undefined),
    list:
      loading || error !== null ? undefined : memoriesOf(queries.flatMap(({ data }) => data?.entries ?? [])),
  };
}

const asMemories = (answer: Parameters<typeof hitsOf>[0]): MemoryEntry[] =>
  hitsOf(answer).map(({ uri, abstract, category }) => ({ uri, abstract, category, changedAt: "" }));
