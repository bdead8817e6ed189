import { z } from "zod";

/** An argument that is a URI; its form is checked by the operation. */
export const uriArgument = (what: string) =>
  z.string().min(1).describe(`${what}, for example ctx://resources/docs.`);

/** Continues a list that was cut. */
export const cursorArgument = z
  .string()
  .optional()
  .describe("Cursor from the last line of the previous answer, to continue it.");
