import type { Parsed, Section } from "./parsed.ts";

/** Request to a parsing process; the bytes follow separately. */
export type ChildCall = ParseCall | ShowCall;

export interface ParseCall {
  readonly name: string;
  readonly base?: string | undefined;
}

/** Requests a picture in the form that models accept. */
export interface ShowCall {
  readonly show: true;
}

export type ShowAnswer = { readonly shown: Uint8Array } | { readonly unreadable: string };

/** Response; repeated texts are sent once. */
export type ParseAnswer = PackedParsed | { readonly unreadable: string };

interface PackedParsed extends Omit<Parsed, "converted" | "sections"> {
  readonly isConverted: boolean;
  /** Concatenated in order they are the text. */
  readonly sections?: readonly (Omit<Section, "text"> & { readonly length: number })[];
}

export function pack({ converted, sections, ...rest }: Parsed): PackedParsed {
  const packed = sections?.map(({ text, ...section }) => ({ ...section, length: text.length }));
  return { ...rest, isConverted: converted !== undefined, ...(packed && { sections: packed }) };
}

export function unpack({ isConverted, sections, ...rest }: PackedParsed): Parsed {
  let at = 0;
  const unpacked = sections?.map(({ length, ...section }) => {
    at += length;
    return { ...section, text: rest.text.slice(at - length, at) };
  });
  return { ...rest, ...(isConverted && { converted: rest.text }), ...(unpacked && { sections: unpacked }) };
}
