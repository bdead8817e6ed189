import type { ExplainAccessResponse } from "../../../../../typescript/src/gen/ctxdb/v1/access_pb.ts";
import type { AccessStep } from "../../../api/access.ts";
import { Badge } from "../../../ui/layout.tsx";
import { UriText } from "../../../ui/uri-text.tsx";
import { granteeText, LEVEL_TEXTS, ruleTitle } from "./levels.ts";

/** Reasons for rules that are not grants, by the source that the API names. */
const SOURCES: Readonly<Record<string, string>> = {
  owner: "It is the user's own space.",
  role: "Administrators of the workspace have all access to what is shared.",
  scope: "This applies to every user without a grant.",
};

interface ExplanationProps {
  readonly explained: ExplainAccessResponse;
  readonly onSelect: (uri: string) => void;
}

/** A level of access with the rules that led to it, the deciding one last. */
export function Explanation({ explained: { level, steps }, onSelect }: ExplanationProps) {
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone={level === "none" ? "danger" : "accent"}>{level}</Badge>
        <span>{LEVEL_TEXTS[level] ?? level}</span>
      </p>
      <ol aria-label="Rules" className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one node may have several rules
          <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2 text-[13px]">
            <span className="min-w-0 flex-1 basis-60">
              <Rule step={step} /> <Place uri={step.uri} onSelect={onSelect} />
            </span>
            <span className="text-soft">
              then: <span className="font-medium text-ink">{step.level}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Rule({ step: { source, grant } }: { readonly step: AccessStep }) {
  if (grant === undefined) return <span>{SOURCES[source] ?? source}</span>;
  return (
    <span>
      Grant to {granteeText(grant)}: <span className="font-medium">{ruleTitle(grant)}</span>.
    </span>
  );
}

function Place({ uri, onSelect }: { readonly uri: string; readonly onSelect: (uri: string) => void }) {
  return (
    <button type="button" onClick={() => onSelect(uri)} className="text-left text-accent hover:underline">
      <UriText uri={uri} />
    </button>
  );
}
