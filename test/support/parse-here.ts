import { orWithoutText, parse } from "../../src/ingest/parse/parse.ts";
import type { Parse } from "../../src/ingest/parse/parsed.ts";

/** Parses every file in this process. */
export const parseHere: Parse = (name, bytes, { base, strict = false }) =>
  orWithoutText(name, bytes, strict, parse(name, bytes, base));
