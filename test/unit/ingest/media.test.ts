import { describe, expect, it } from "vitest";
import { parsePicture, shownPicture } from "../../../src/ingest/parse/media/picture.ts";
import { parseOpaqueFilm, parseRecording } from "../../../src/ingest/parse/media/recording.ts";
import { film, MISSING_FFMPEG, photograph, picture, recording } from "../../support/media.ts";

describe("a picture", () => {
  it.each([
    ["png", "PNG"],
    ["jpeg", "JPEG"],
    ["gif", "GIF"],
    ["webp", "WebP"],
    ["avif", "AVIF"],
    ["tiff", "TIFF"],
  ] as const)(
    "an image in %s is described by its format and dimensions, and has no text",
    async (format, name) => {
      const parsed = await parsePicture("view", `image/${format}`, await picture(format));
      expect(parsed).toMatchObject({ kind: "binary", mime: `image/${format}`, title: "view", text: "" });
      expect(parsed.outline).toMatch(new RegExp(`^${name} image, 320 × 200 pixels, [\\d,]+ bytes$`));
      expect(parsed.converted).toBeUndefined();
    },
  );

  it("a photograph has a text with the data recorded by the camera", async () => {
    const { text, converted } = await parsePicture("IMG_1", "image/jpeg", await photograph());
    expect(converted).toBe(text);
    for (const fact of [
      "# IMG_1\n",
      "- Description: A quetzal in the cloud forest",
      "- Taken: 2024-05-01 12:33",
      "- Camera: Acme One",
      "- Exposure: f/2.8, 1/250 s",
      "- Position: 51.50000° N, 0.12500° W",
      "- Artist: Ann",
    ])
      expect(text).toContain(fact);
  });

  it("an image that claims impossible dimensions is refused", async () => {
    const png = await picture();
    png.writeUInt32BE(2 ** 30, 16);
    await expect(parsePicture("huge", "image/png", png)).rejects.toThrow();
  });

  it("a truncated or empty image is refused", async () => {
    await expect(
      parsePicture("x", "image/png", Buffer.from("\x89PNG\r\n\x1a\n truncated", "latin1")),
    ).rejects.toThrow();
    await expect(parsePicture("x", "image/png", new Uint8Array())).rejects.toThrow();
  });

  it("an image is converted to JPEG for models, and other bytes are refused", async () => {
    const shown = await shownPicture(await picture("gif"));
    expect([...shown.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    await expect(shownPicture(Buffer.from("no picture"))).rejects.toThrow();
  });
});

describe("a recording", () => {
  it("a recording is described by its length and its tags", async () => {
    const parsed = await parseRecording("take7", "audio/wav", recording());
    expect(parsed).toMatchObject({ kind: "binary", mime: "audio/wav", title: "Harbour at dawn", seconds: 2 });
    expect(parsed.text).toMatch(/^# Harbour at dawn\n\nRecording \(PCM\), 0:02 long/);
    expect(parsed.text).toContain("- Artist: Bob");
  });

  it("hostile tags of a recording are kept as escaped text on one line", async () => {
    const { text } = await parseRecording("x", "audio/wav", recording("Song", "# [Bob](http://evil)\n- <b>"));
    expect(text).toContain("- Artist: \\# \\[Bob\\](http://evil) - \\<b\\>");
  });

  it("a file that is not a recording is refused", async () => {
    await expect(parseRecording("x", "audio/mpeg", Buffer.from("nothing to hear"))).rejects.toThrow();
  });

  it("a video in an unknown container is described by its type and size", () => {
    expect(parseOpaqueFilm("x", "video/x-msvideo", Buffer.from("RIFF")).outline).toBe(
      "Film (video/x-msvideo), 4 bytes",
    );
  });
});

describe.skipIf(MISSING_FFMPEG)("a film", () => {
  it.each(["mp4", "mkv"] as const)(
    "a video in %s is described by its length and its title",
    async (extension) => {
      const parsed = await parseRecording("film", "video/mp4", await film(extension));
      expect(parsed.title).toBe("Harbour film");
      expect(parsed.outline).toMatch(/^Film.*, 0:12 long/);
    },
  );
});
