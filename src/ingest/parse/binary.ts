import { fileTypeFromBuffer } from "file-type";
import type { Parsed } from "./parsed.ts";

/** Number of bytes examined for type detection, which blocks the main thread. */
const SAMPLE_BYTES = 64 * 1024;
const UNKNOWN = "application/octet-stream";

/** A file without text: stored, described by type and size, and found by its name. */
export async function parseBinary(stem: string, bytes: Uint8Array): Promise<Parsed> {
  const mime = await sniff(bytes);
  const outline = `${mime}, ${bytes.length.toLocaleString("en-US")} bytes`;
  return {
    kind: "binary",
    mime,
    title: stem,
    text: "",
    outline,
    warnings: ["binary content: stored without text"],
  };
}

async function sniff(bytes: Uint8Array): Promise<string> {
  try {
    return (await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)))?.mime ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
