import { type Filter, matches } from "./filter.ts";

/** Result of a filter for all subjects with certain tags; "open" if it depends on other fields. */
export type TagVerdict = "yes" | "no" | "open";

/**
 * Evaluates the parts of a filter that depend only on tags, so that most subjects need not be read. Patterns
 * and substrings stay open, because their cost is counted per subject.
 */
export function tagVerdict(filter: Filter, tags: readonly string[]): TagVerdict {
  switch (filter.kind) {
    case "all":
      return joined(filter.of, tags, "no");
    case "any":
      return joined(filter.of, tags, "yes");
    case "none":
      return OPPOSITE[joined(filter.of, tags, "yes")];
    case "range":
      return "open";
    default:
      if (filter.field !== "tags") return "open";
      if (filter.kind === "in" || filter.kind === "prefix" || tags.length === 0)
        return matches(filter, { ...NOTHING, tags }) ? "yes" : "no";
      return "open";
  }
}

const OPPOSITE = { yes: "no", no: "yes", open: "open" } as const;

const NOTHING = {
  uri: "",
  context_type: "",
  level: 0,
  name: "",
  category: "",
  created_at: 0,
  updated_at: 0,
  active_count: 0,
  mime: "",
} as const;

/** Combines verdicts: one that equals `decides` determines the result; otherwise all must be the opposite. */
function joined(filters: readonly Filter[], tags: readonly string[], decides: "yes" | "no"): TagVerdict {
  let whole: TagVerdict = OPPOSITE[decides];
  for (const filter of filters) {
    const verdict = tagVerdict(filter, tags);
    if (verdict === decides) return verdict;
    if (verdict === "open") whole = verdict;
  }
  return whole;
}
