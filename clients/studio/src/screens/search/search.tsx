import { getRouteApi } from "@tanstack/react-router";
import { Columns2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/layout.tsx";
import { Lab } from "./lab.tsx";
import { EMPTY } from "./settings.ts";

const route = getRouteApi("/search");

/** Searches with their reasons; two side by side to compare. */
export function Search() {
  const { q = "", target = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [comparing, setComparing] = useState(false);
  const remember = (query: string) =>
    void navigate({ search: (before) => ({ ...before, q: query }), replace: true });
  return (
    <Page
      title="Search lab"
      about="Ask as an agent would, and see why each hit is where it is."
      actions={
        <Button onClick={() => setComparing(!comparing)} aria-pressed={comparing}>
          {comparing ? <X /> : <Columns2 />} {comparing ? "One search" : "Compare two"}
        </Button>
      }
    >
      <div className={comparing ? "grid gap-5 lg:grid-cols-2" : ""}>
        {/* another link to this page is another search */}
        <Lab
          key={`${q === "" ? "empty" : ""}${target}`}
          label={comparing ? "Search A" : undefined}
          start={{ ...EMPTY, query: q, target }}
          onAsk={remember}
        />
        {comparing && <Lab label="Search B" start={{ ...EMPTY, query: q, target }} />}
      </div>
    </Page>
  );
}
