import { z } from "zod";

/** An argument that is a URI; its form is checked by the operation. `standard`: what it is by default. */
export const uriArgument = (what: string, standard?: string) =>
  z
    .string()
    .min(1)
    .describe(
      `${what}, for example ctx://resources/docs.${standard === undefined ? "" : ` Default: ${standard}.`}`,
    );

/** Continues a list that was cut. */
export const cursorArgument = z
  .string()
  .optional()
  .describe("Cursor from the last line of the previous answer, to continue it.");
