import type { Parsed } from "../parsed.ts";
import { Unreadable } from "../unreadable.ts";
import { PICTURES, parsePicture } from "./picture.ts";
import { OPAQUE_FILMS, parseOpaqueFilm, parseRecording, RECORDINGS } from "./recording.ts";

/** Formats without text that are described by their metadata. */
export const MEDIA_FORMATS = [
  ...Object.entries(PICTURES).map(([extension, mime]) => format("a picture", extension, mime, parsePicture)),
  ...Object.entries(RECORDINGS).map(([extension, mime]) =>
    format(mime.startsWith("video/") ? "a film" : "a recording", extension, mime, parseRecording),
  ),
  ...Object.entries(OPAQUE_FILMS).map(([extension, mime]) =>
    format("a film", extension, mime, async (...of) => parseOpaqueFilm(...of)),
  ),
];

function format(name: string, extension: string, mime: string, parse: typeof parsePicture) {
  return {
    name,
    mime,
    extensions: [extension],
    read: async ({ stem, bytes }: { readonly stem: string; readonly bytes: Uint8Array }): Promise<Parsed> => {
      try {
        return await parse(stem, mime, bytes);
      } catch (error) {
        throw new Unreadable(`its content is not readable as ${name}`, error);
      }
    },
  };
}

const MIMES: ReadonlySet<string> = new Set(MEDIA_FORMATS.map(({ mime }) => mime));

/** Whether files of this media type are described by their metadata. */
export const isMedia = (mime: string): boolean => MIMES.has(mime);
