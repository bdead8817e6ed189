import { z } from "zod";
import { MEMORY_ORIGINS } from "../../../memory/utterance.ts";

const time = (what: string) => z.string().optional().describe(`${what} ISO 8601, for example 2026-11-20.`);

/** Arguments that filter memories by time and origin; the operation validates them. */
export const conditionArguments = {
  as_of: time(
    "Memories as they were at this time, also facts superseded since; for earlier versions of documents, use history and read.",
  ),
  since: time("Only what was said at or after this time; of documents, those last changed then."),
  until: time("Only what was said before this time; of documents, those last changed then."),
  exclude_origins: z
    .array(z.enum(MEMORY_ORIGINS))
    .optional()
    .describe(
      "Leave out memories drawn from these origins, for example tool (outputs of tools) and import (imported documents), which are less trusted. Documents themselves stay.",
    ),
};

export interface Conditions {
  readonly as_of?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly exclude_origins?: readonly string[] | undefined;
}

/** Converts the arguments to request fields. */
export const conditionFields = ({ as_of, since, until, exclude_origins }: Conditions) => ({
  ...(as_of !== undefined && { asOf: as_of }),
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
  ...(exclude_origins !== undefined && { excludeOrigins: [...exclude_origins] }),
});
