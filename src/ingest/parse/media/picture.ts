import type { Metadata } from "sharp";
import type { Parsed } from "../parsed.ts";
import { exifFacts } from "./exif.ts";
import { bytesSaid, listOf, type MediaFact } from "./metadata.ts";

/** Media types of picture formats by extension. */
export const PICTURES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  tif: "image/tiff",
  tiff: "image/tiff",
};

/** Maximum pixels of a picture; also checked in the header. */
const MAX_PIXELS = 16_384 ** 2;

/**
 * Describes a picture by its dimensions and camera metadata. Throws if the header is malformed or declares
 * too many pixels.
 */
export async function parsePicture(stem: string, mime: string, bytes: Uint8Array): Promise<Parsed> {
  const { default: sharp } = await import("sharp");
  const metadata = await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 }).metadata();
  const { width, height, exif } = metadata;
  if (!width || !height) throw new Error("it has no dimensions");
  if (width * height > MAX_PIXELS)
    throw new Error(`it has ${width} × ${height} pixels, more than ${MAX_PIXELS}`);
  const facts = exif ? await exifFacts(exif) : [];
  const headline = `${formatOf(metadata)}, ${width} × ${height} pixels, ${bytesSaid(bytes)}`;
  return describedBy(stem, mime, headline, facts);
}

/**
 * A file without text, described by a headline and facts. The facts become its text, so that it can be found
 * by them.
 */
export function describedBy(
  stem: string,
  mime: string,
  headline: string,
  facts: readonly MediaFact[],
  title = stem,
): Parsed {
  const outline = [headline, listOf(facts)].filter((part) => part !== "").join("\n");
  const base = { kind: "binary", mime, title, outline, warnings: [] } as const;
  if (facts.length === 0) return { ...base, text: "" };
  const text = `# ${title}\n\n${headline}.\n\n${listOf(facts)}\n`;
  return { ...base, text, converted: text };
}

function formatOf({ format, pages, orientation, width = 0, height = 0 }: Metadata): string {
  const name =
    { jpeg: "JPEG", png: "PNG", gif: "GIF", webp: "WebP", tiff: "TIFF", heif: "AVIF" }[String(format)] ??
    String(format);
  const frames = pages !== undefined && pages > 1 ? ` of ${pages} frames` : "";
  // orientations 5 to 8 are rotated by 90°
  const isUpright = orientation !== undefined && orientation >= 5 ? width > height : height > width;
  return `${name} image${frames}${isUpright ? ", upright" : ""}`;
}

/** Maximum edge length and quality of pictures for models: larger ones cost more without showing more. */
const SHOWN = { edge: 1568, quality: 85 } as const;

/**
 * Converts a picture for models: upright, JPEG, within the maximum edge length. Throws if it cannot be
 * decoded.
 */
export async function shownPicture(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 })
    .rotate()
    .resize({ width: SHOWN.edge, height: SHOWN.edge, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: SHOWN.quality })
    .toBuffer();
}
