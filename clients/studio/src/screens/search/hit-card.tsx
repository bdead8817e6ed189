import { Link } from "@tanstack/react-router";
import { BookmarkCheck, BookmarkPlus } from "lucide-react";
import type { MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { score } from "../../text/format.ts";
import { nodeOf, visibleText } from "../../text/uri.ts";
import { IconButton } from "../../ui/button.tsx";
import { Badge } from "../../ui/layout.tsx";
import { toast } from "../../ui/toasts.tsx";
import { UriText } from "../../ui/uri-text.tsx";
import { useExpectedAnswer } from "../evaluation/evaluation-store.ts";
import { Highlighted } from "./highlighted.tsx";
import { ScoreBars } from "./score-bars.tsx";

interface HitCardProps {
  readonly hit: MatchedContext;
  readonly rank: number;
  readonly query: string;
}

/** The passage of a hit, without lines that contain no words. */
const passageOf = ({ match, abstract }: MatchedContext): string =>
  visibleText(match || abstract).replace(/\n\s*\n/g, "\n");

/** A hit: its URI, passage, and how its score was computed. */
export function HitCard({ hit, rank, query }: HitCardProps) {
  const { isExpected, toggle } = useExpectedAnswer(query, nodeOf(hit.uri));
  const save = () => {
    toggle();
    toast(isExpected ? "No longer an expected answer" : "Saved to the evaluation set as an expected answer");
  };
  return (
    <li className="px-4 py-3">
      <div className="flex items-start gap-2">
        <span className="mt-0.5 w-5 shrink-0 text-right text-xs text-soft tabular-nums">{rank}</span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              to="/explorer"
              search={{ uri: nodeOf(hit.uri) }}
              className="min-w-0 font-medium text-accent hover:underline"
            >
              <UriText uri={hit.uri} />
            </Link>
            <Badge>{hit.contextType}</Badge>
            <Badge>L{hit.level}</Badge>
            {hit.category !== "" && <Badge tone="accent">{hit.category}</Badge>}
          </div>
          <p className="mt-1.5 line-clamp-6 text-[13px] whitespace-pre-wrap" dir="auto">
            <Highlighted text={passageOf(hit)} query={query} />
          </p>
          {hit.relations.length > 0 && (
            <p className="mt-1.5 text-xs text-soft">
              Related:{" "}
              {hit.relations.map(({ uri }, index) => (
                <span key={uri}>
                  {index > 0 && ", "}
                  <Link to="/explorer" search={{ uri }} className="underline hover:text-ink">
                    <UriText uri={uri} />
                  </Link>
                </span>
              ))}
            </p>
          )}
          {hit.explain !== undefined && <ScoreBars explanation={hit.explain} reason={hit.matchReason} />}
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1">
          <span className="font-semibold tabular-nums" title="Score">
            {score(hit.score)}
          </span>
          <IconButton
            label={isExpected ? "An expected answer: remove it" : "Save as an expected answer"}
            onClick={save}
          >
            {isExpected ? <BookmarkCheck className="text-accent" /> : <BookmarkPlus />}
          </IconButton>
        </div>
      </div>
    </li>
  );
}
