import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { temporaryFolder } from "./temporary-folder.ts";

/** A plain image of 320 × 200 pixels. */
export const picture = (format: "png" | "jpeg" | "gif" | "webp" | "avif" | "tiff" = "png"): Promise<Buffer> =>
  blank().toFormat(format).toBuffer();

/** A photograph with the metadata a camera writes. */
export const photograph = (): Promise<Buffer> =>
  blank()
    .withExif({
      IFD0: { ImageDescription: "A quetzal in the cloud forest", Make: "Acme", Model: "One", Artist: "Ann" },
      IFD2: { DateTimeOriginal: "2024:05:01 12:33:00", FNumber: "28/10", ExposureTime: "1/250" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "51/1 30/1 0/1",
        GPSLongitudeRef: "W",
        GPSLongitude: "0/1 7/1 30/1",
      },
    })
    .jpeg()
    .toBuffer();

const blank = () => sharp({ create: { width: 320, height: 200, channels: 3, background: "#335577" } });

/** Two seconds of silence, tagged with a title and an artist. */
export function recording(title = "Harbour at dawn", artist = "Bob"): Buffer {
  const text = (id: string, value: string) =>
    chunk(id, Buffer.from(`${value}\0${value.length % 2 ? "" : "\0"}`));
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(8000, 4);
  format.writeUInt32LE(8000, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const info = Buffer.concat([Buffer.from("INFO"), text("INAM", title), text("IART", artist)]);
  const body = Buffer.concat([
    Buffer.from("WAVE"),
    chunk("fmt ", format),
    chunk("LIST", info),
    chunk("data", Buffer.alloc(16_000, 128)),
  ]);
  return chunk("RIFF", body);
}

function chunk(id: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** The reason to skip video tests here, if any; CI installs what they need. */
export const MISSING_FFMPEG = isInstalled() ? undefined : "ffmpeg is not installed (apt-get install ffmpeg)";

if (MISSING_FFMPEG) process.stdout.write(`skipped: ${MISSING_FFMPEG}\n`);

/** Twelve seconds of a test picture with a tone, in the container format that the extension names. */
export async function film(extension: "mp4" | "avi" | "mkv"): Promise<Buffer> {
  const folder = await temporaryFolder();
  const path = join(folder.path, `film.${extension}`);
  const sources = [
    "-f",
    "lavfi",
    "-i",
    "testsrc=duration=12:size=320x240:rate=5",
    "-f",
    "lavfi",
    "-i",
    "sine=frequency=440:duration=12",
  ];
  execFileSync("ffmpeg", [
    "-nostdin",
    "-loglevel",
    "error",
    ...sources,
    "-metadata",
    "title=Harbour film",
    "-c:v",
    "mpeg4",
    path,
  ]);
  const bytes = readFileSync(path);
  await folder.remove();
  return bytes;
}

function isInstalled(): boolean {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
