import { type MediaFact, mediaFactsOf } from "./metadata.ts";

/** Relevant facts from a camera's metadata: time, device, location and author. Malformed data is ignored. */
export async function exifFacts(data: Buffer): Promise<MediaFact[]> {
  const { default: read } = await import("exif-reader");
  try {
    const { Image: image = {}, Photo: photo = {}, GPSInfo: place = {} } = read(data);
    return mediaFactsOf({
      Description: said(image.ImageDescription),
      Taken: moment(photo.DateTimeOriginal ?? image.DateTime),
      Camera: [image.Make, image.Model].filter(Boolean).join(" "),
      Lens: said(photo.LensModel),
      Exposure: exposure(photo),
      Position: position(place),
      Artist: said(image.Artist),
      Copyright: said(image.Copyright),
      Comment: said(photo.UserComment),
      Software: said(image.Software),
    });
  } catch {
    return [];
  }
}

type Tags = Readonly<Record<string, unknown>>;

const said = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Formats a time. Cameras record local time without a zone, which the reader interprets as UTC. */
function moment(value: unknown): string | undefined {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
  return value.toISOString().slice(0, 16).replace("T", " ");
}

function exposure({
  FNumber: aperture,
  ExposureTime: time,
  ISOSpeedRatings: iso,
  FocalLength: length,
}: Tags): string {
  const parts = [
    typeof length === "number" && `${round(length)} mm`,
    typeof aperture === "number" && `f/${round(aperture)}`,
    typeof time === "number" && time > 0 && (time < 1 ? `1/${Math.round(1 / time)} s` : `${round(time)} s`),
    typeof iso === "number" && `ISO ${iso}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function position({
  GPSLatitude: latitude,
  GPSLatitudeRef: north,
  GPSLongitude: longitude,
  GPSLongitudeRef: east,
}: Tags): string {
  const [up, along] = [degrees(latitude), degrees(longitude)];
  if (up === undefined || along === undefined || up > 90 || along > 180) return "";
  return `${up.toFixed(5)}° ${north === "S" ? "S" : "N"}, ${along.toFixed(5)}° ${east === "W" ? "W" : "E"}`;
}

/** Converts degrees, minutes and seconds to degrees. */
function degrees(value: unknown): number | undefined {
  if (
    !Array.isArray(value) ||
    value.length !== 3 ||
    !value.every((part) => typeof part === "number" && Number.isFinite(part))
  )
    return undefined;
  return value[0] + value[1] / 60 + value[2] / 3600;
}

const round = (value: number): number => Math.round(value * 10) / 10;
