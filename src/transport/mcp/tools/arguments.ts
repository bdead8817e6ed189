import { z } from "zod";
import { MAX_TAGS } from "../../../domain/tags.ts";

/** A URI argument, which the operation validates. `standard`: the default. */
export const uriArgument = (what: string, standard?: string) =>
  z
    .string()
    .min(1)
    .describe(
      `${what}, for example ctx://resources/docs.${standard === undefined ? "" : ` Default: ${standard}.`}`,
    );

/** Cursor argument that continues a truncated list. */
export const cursorArgument = z
  .string()
  .optional()
  .describe("Cursor from the last line of the previous answer, to continue it.");

/** Default budget of a list. */
export const LIST_TOKENS = 3000;
const MOST_ENTRIES = 1000;
const STANDARD_ENTRIES = 200;

export const limit = z
  .int()
  .min(1)
  .max(MOST_ENTRIES)
  .default(STANDARD_ENTRIES)
  .describe("Maximum number of entries.");

export const sections = z
  .boolean()
  .default(false)
  .describe("Include the folders of sections that are cut from long documents.");

export const tagsArgument = z
  .array(z.string())
  .optional()
  .describe("Only what has all of these tags, itself or by a folder above.");

/** Tags to add to a file or folder, or to take from it. */
export const addedTags = z.array(z.string()).max(MAX_TAGS).optional();

export const cursorOutput = z.string().optional().describe("Continues the list; absent at its end.");
