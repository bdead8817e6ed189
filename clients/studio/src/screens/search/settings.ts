import type { JsonObject } from "@bufbuild/protobuf";

/** Settings of a search. */
export interface Settings {
  readonly query: string;
  /** `find` runs one query; `search` plans several, with the history of a session. */
  readonly mode: "find" | "search";
  /** URIs separated by spaces or lines; "" for everything. */
  readonly target: string;
  readonly limit: number;
  /** "" for none. */
  readonly threshold: string;
  /** JSON; "" for none. */
  readonly filter: string;
  readonly sessionId: string;
}

export const EMPTY: Settings = {
  query: "",
  mode: "find",
  target: "",
  limit: 10,
  threshold: "",
  filter: "",
  sessionId: "",
};

/** Settings in the form of the request. */
export interface Asked {
  readonly query: string;
  readonly targetUri?: string[];
  readonly limit: number;
  readonly scoreThreshold?: number;
  readonly filter?: JsonObject;
  readonly sessionId?: string;
  readonly explain: true;
}

/** Converts settings to a request. Throws if the filter is not a JSON object. */
export function requestOf({ query, mode, target, limit, threshold, filter, sessionId }: Settings): Asked {
  const targets = target.split(/\s+/).filter((uri) => uri !== "");
  return {
    query: query.trim(),
    limit,
    explain: true,
    ...(targets.length > 0 && { targetUri: targets }),
    ...(threshold.trim() !== "" && { scoreThreshold: Number(threshold) }),
    ...(filter.trim() !== "" && { filter: filterOf(filter) }),
    ...(mode === "search" && sessionId.trim() !== "" && { sessionId: sessionId.trim() }),
  };
}

function filterOf(text: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`The filter is not valid JSON: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error('The filter must be an object, such as {"mime": "text/markdown"}');
  return parsed as JsonObject;
}
