import type { CompleteResult } from "@modelcontextprotocol/server";
import { SearchService } from "../../../gen/ctxdb/v1/search_pb.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { OperationInvoker } from "./operation-invoker.ts";
import { ROOTS, TEMPLATE_VARIABLE, templateOf } from "./resources.ts";
import { isRefusal } from "./tool.ts";

/** Maximum number of values allowed by MCP. */
const MOST_VALUES = 100;
const MOST_LENGTH = 4096;
/** Error codes for a path whose beginning does not exist or is not a URI. */
const UNFINISHED = ["NOT_FOUND", "INVALID_URI", "INVALID_ARGUMENT"] as const;

interface Asked {
  readonly ref: { readonly type: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
}

/**
 * Completes the path of the resource template with names visible to the caller. Throws ServiceErrors;
 * INVALID_ARGUMENT for any other reference or argument.
 */
export async function complete(asker: OperationInvoker, { ref, argument }: Asked): Promise<CompleteResult> {
  if (ref.type !== "ref/resource" || ref.uri !== templateOf(asker.root))
    throw invalidArgument("ref", `must be the resource template ${templateOf(asker.root)}`);
  if (argument.name !== TEMPLATE_VARIABLE)
    throw invalidArgument("argument.name", `must be ${TEMPLATE_VARIABLE}`);
  const { value } = argument;
  if (value.length > MOST_LENGTH)
    throw invalidArgument("argument.value", `must have at most ${MOST_LENGTH} characters`);
  const slash = value.lastIndexOf("/");
  if (slash < 0) return completed(ROOTS.map(([path]) => path).filter((path) => path.startsWith(value)));
  const pattern = `${escaped(value.slice(slash + 1))}*`;
  try {
    const { matches } = await asker.ask(SearchService.method.glob, {
      uri: asker.root + value.slice(0, slash),
      pattern,
      nodeLimit: MOST_VALUES + 1,
    });
    return completed(matches.map((uri) => uri.slice(asker.root.length)));
  } catch (error) {
    // the typed text may be incomplete: a missing resource, or not a URI yet
    if (UNFINISHED.some((code) => isRefusal(error, code))) return completed([]);
    throw error;
  }
}

const completed = (values: readonly string[]): CompleteResult => ({
  completion: { values: values.slice(0, MOST_VALUES), hasMore: values.length > MOST_VALUES },
});

/** Escapes text for use in a glob. */
const escaped = (text: string): string => text.replace(/[*?[\]{}!,\\]/g, "\\$&");
