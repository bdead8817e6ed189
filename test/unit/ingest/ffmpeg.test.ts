import { describe, expect, it } from "vitest";
import { hasFfmpeg, runFfmpeg } from "../../../src/ingest/describe/ffmpeg.ts";

/** The first picture of a film that ffmpeg generates. */
const picture = (size: string) =>
  runFfmpeg(
    {
      before: ["-f", "lavfi"],
      input: `color=s=${size}:d=1:r=1`,
      after: ["-vf", "scale=32:32", "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg"],
      maxBytes: 100_000,
    },
    new AbortController().signal,
  );

describe.runIf(await hasFfmpeg())("ffmpeg", () => {
  it("ffmpeg reads films within its limits, and none with huge pictures", async () => {
    expect((await picture("320x240")).subarray(0, 2).toString("hex")).toBe("ffd8");
    await expect(picture("16384x8192")).rejects.toThrow("ffmpeg ended with 1");
  });
});
