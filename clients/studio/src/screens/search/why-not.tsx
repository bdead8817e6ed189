import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { HitExplanation, MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { find } from "../../api/search.ts";
import { score } from "../../text/format.ts";
import { nodeOf, visible } from "../../text/uri.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { hitsOf } from "./hits.ts";
import { ScoreBars } from "./score-bars.tsx";
import type { Asked } from "./settings.ts";

/** Maximum number of hits that the server returns. */
const DEEPEST = 1_000;

interface Placed {
  readonly uri: string;
  /** The hit that represents the URI: the URI itself, a section of the file, or something in the folder. */
  readonly through?: string;
  /** Rank among the first 1,000 hits without a threshold; undefined if not among them. */
  readonly rank?: number;
  readonly value?: number;
  readonly explanation?: HitExplanation;
  readonly reason: string;
  /** Score of the last hit shown. */
  readonly lastShown?: number;
}

/** Rank and score of a URI: in the full result list, or else in the same query restricted to that URI. */
async function place(asked: Asked, uri: string): Promise<Placed> {
  const { scoreThreshold: _, sessionId: __, ...question } = asked;
  const all = hitsOf(await find({ ...question, limit: DEEPEST }));
  const isIt = ({ uri: found, source }: MatchedContext) =>
    found === uri || nodeOf(found) === uri || source === uri || found.startsWith(`${uri}/`);
  const lastShown = all[asked.limit - 1]?.score;
  const index = all.findIndex(isIt);
  const hit =
    index >= 0
      ? all[index]
      : hitsOf(await find({ ...question, targetUri: [uri], limit: DEEPEST })).find(isIt);
  if (hit === undefined) return { uri, reason: "", lastShown };
  return {
    uri,
    ...(nodeOf(hit.uri) !== uri && { through: hit.uri }),
    rank: index >= 0 ? index + 1 : undefined,
    value: hit.score,
    explanation: hit.explain,
    reason: hit.matchReason,
    lastShown,
  };
}

export function WhyNot({ asked }: { readonly asked: Asked }) {
  const [uri, setUri] = useState("");
  const call = useMutation({ mutationFn: (wanted: string) => place(asked, wanted) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    call.mutate(uri.trim().replace(/\/+$/, ""));
  };
  return (
    <div className="flex flex-col gap-3">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Input
          label="A file or folder that you expected"
          className="min-w-64 flex-1"
          placeholder="ctx://resources/…"
          value={uri}
          onChange={(event) => setUri(event.target.value)}
        />
        <Button type="submit" look="primary" busy={call.isPending} disabled={uri.trim() === ""}>
          Look it up
        </Button>
      </form>
      {call.error !== null && <Failure error={call.error} />}
      {call.data !== undefined && <Verdict placed={call.data} asked={asked} />}
    </div>
  );
}

function Verdict({ placed, asked }: { readonly placed: Placed; readonly asked: Asked }) {
  const { uri, through, rank, value, explanation, reason, lastShown } = placed;
  return (
    <div className="rounded-lg border border-line p-3 text-[13px]">
      <p className="font-medium break-all">{visible(uri)}</p>
      {through !== undefined && (
        <p className="mt-1 text-soft">
          Its best part for this question: <UriText uri={through} />
        </p>
      )}
      <p className="mt-1">{verdictOf(placed, asked)}</p>
      {value !== undefined && (
        <p className="mt-1 text-soft tabular-nums">
          Its score: {score(value)}
          {lastShown !== undefined && `; the last hit that is shown has ${score(lastShown)}`}
          {rank !== undefined && `; its rank: ${rank}`}
        </p>
      )}
      {explanation !== undefined && <ScoreBars explanation={explanation} reason={reason} />}
    </div>
  );
}

function verdictOf({ rank, value }: Placed, { limit, scoreThreshold }: Asked): string {
  if (value === undefined) {
    return "It is not found for this question at all: nothing in it matches, a filter or the target leaves it out, it is not in the index, or you may not see it.";
  }
  if (scoreThreshold !== undefined && value <= scoreThreshold)
    return "Its score is not above the lowest score that you asked for.";
  if (rank === undefined)
    return "Another part of the same document, or what stands for its folder, takes its place in the list.";
  return rank <= limit
    ? "It is among the hits."
    : `Other hits are better: it comes at place ${rank}, and ${limit} were asked for.`;
}
