import type { FindResponse, MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";

/** Merges the three lists of hits, sorted by score. */
export const hitsOf = ({
  memories,
  resources,
  skills,
}: Pick<FindResponse, "memories" | "resources" | "skills">): MatchedContext[] =>
  [...memories, ...resources, ...skills].sort((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1));
