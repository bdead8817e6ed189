import { getRouteApi } from "@tanstack/react-router";
import { Columns2, X } from "lucide-react";
import { useState } from "react";
import type { MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/layout.tsx";
import { Comparison } from "./comparison.tsx";
import { Lab } from "./lab.tsx";
import { EMPTY } from "./settings.ts";

const route = getRouteApi("/search");

/** Searches with explanations; two side by side for comparison. */
export function Search() {
  const { q = "", target = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [comparing, setComparing] = useState(false);
  const [a, setA] = useState<readonly MatchedContext[]>();
  const [b, setB] = useState<readonly MatchedContext[]>();
  const remember = (query: string) =>
    void navigate({ search: (before) => ({ ...before, q: query }), replace: true });
  return (
    <Page
      title="Search lab"
      about="Search as an agent would, and see why each hit has its rank."
      actions={
        <Button
          aria-pressed={comparing}
          onClick={() => {
            setComparing(!comparing);
            setB(undefined);
          }}
        >
          {comparing ? <X /> : <Columns2 />} {comparing ? "One search" : "Compare two"}
        </Button>
      }
    >
      {comparing && a !== undefined && b !== undefined && <Comparison a={a} b={b} />}
      <div className={comparing ? "grid items-start gap-5 lg:grid-cols-2" : ""}>
        {/* another link to this page is another search */}
        <Lab
          key={`${q === "" ? "empty" : ""}${target}`}
          label={comparing ? "Search A" : undefined}
          start={{ ...EMPTY, query: q, target }}
          onAsk={remember}
          onHits={setA}
        />
        {comparing && <Lab label="Search B" start={{ ...EMPTY, query: q, target }} onHits={setB} />}
      </div>
    </Page>
  );
}
