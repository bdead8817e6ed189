import type { IAudioMetadata } from "music-metadata";
import type { Parsed } from "../parsed.ts";
import { bytesSaid, clockTime, type MediaFact, mediaFactsOf, plain } from "./metadata.ts";
import { describedBy } from "./picture.ts";

/** Media types of audio and video formats by extension. */
export const RECORDINGS: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  mkv: "video/x-matroska",
  webm: "video/webm",
};

/**
 * Video containers that the metadata reader does not support; such files are described by type and size only.
 */
export const OPAQUE_FILMS: Readonly<Record<string, string>> = {
  avi: "video/x-msvideo",
  wmv: "video/x-ms-wmv",
  mpg: "video/mpeg",
  mpeg: "video/mpeg",
};

/** Describes a recording or video by its length, format and tags. Throws if there are none. */
export async function parseRecording(stem: string, mime: string, bytes: Uint8Array): Promise<Parsed> {
  const { parseBuffer } = await import("music-metadata");
  // detect the format by content, because names of recordings are often wrong
  const metadata = await parseBuffer(bytes, { size: bytes.length }, { duration: true, skipCovers: true });
  const { format, common } = metadata;
  if (format.container === undefined && format.codec === undefined)
    throw new Error("it contains no known audio or video format");
  const headline = [formOf(mime, metadata), lengthOf(format.duration), bytesSaid(bytes)]
    .filter(Boolean)
    .join(", ");
  const parsed = describedBy(stem, mime, headline, tagFacts(common), plain(common.title ?? "") || stem);
  return format.duration !== undefined && Number.isFinite(format.duration)
    ? { ...parsed, seconds: format.duration }
    : parsed;
}

/** A video that is stored without reading its metadata. */
export function parseOpaqueFilm(stem: string, mime: string, bytes: Uint8Array): Parsed {
  return describedBy(stem, mime, `Film (${mime}), ${bytesSaid(bytes)}`, []);
}

function formOf(mime: string, { format }: IAudioMetadata): string {
  const isFilm = mime.startsWith("video/") && format.hasVideo !== false;
  const picture = format.trackInfo.find(({ video }) => video?.pixelWidth)?.video;
  const size =
    picture?.pixelWidth && picture.pixelHeight
      ? ` of ${picture.pixelWidth} × ${picture.pixelHeight} pixels`
      : "";
  const codec = format.codec ?? format.container ?? mime;
  return `${isFilm ? "Film" : "Recording"}${size} (${codec})`;
}

const lengthOf = (seconds: number | undefined): string =>
  seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? `${clockTime(seconds)} long` : "";

function tagFacts({
  title,
  artist,
  album,
  year,
  genre,
  comment,
  description,
  track,
  composer,
  date,
  podcast,
}: IAudioMetadata["common"]): MediaFact[] {
  return mediaFactsOf({
    Title: title,
    Artist: artist,
    Album: album,
    Track: track.no ?? undefined,
    Date: date ?? year,
    Genre: genre?.join(", "),
    Composer: composer?.join(", "),
    Description: description?.join(" "),
    Comment: comment?.map(({ text }) => text ?? "").join(" "),
    Podcast: podcast ? "yes" : undefined,
  });
}
