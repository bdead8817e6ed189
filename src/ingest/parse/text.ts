import type { Decoded } from "../../domain/text/decode.ts";
import type { Parsed } from "./parsed.ts";
import { sections } from "./sections.ts";

/** Text in an unknown format, unchanged. */
export function parseText(stem: string, mime: string, source: Decoded): Parsed {
  const { text, encoding } = source;
  return {
    kind: "text",
    mime,
    encoding,
    title: stem,
    text,
    sections: sections(text, [], stem),
    outline: "",
    warnings: [],
  };
}
