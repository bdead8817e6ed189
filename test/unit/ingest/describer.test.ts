import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { Describer, type DescriberDeps } from "../../../src/ingest/describe/describer.ts";
import { type FilmScratch, Films } from "../../../src/ingest/describe/films.ts";
import { parsePicture, shownPicture } from "../../../src/ingest/parse/media/picture.ts";
import { parseRecording } from "../../../src/ingest/parse/media/recording.ts";
import type { Adviser, ModelQuestion } from "../../../src/providers/language.ts";
import { Spool } from "../../../src/storage/disk/spool.ts";
import { film, MISSING_FFMPEG, picture, recording } from "../../support/media.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const asking = () => ({ workspace: workspaceId(7), signal: new AbortController().signal });

/** A model that gives `answer` to every question. */
function seeing(answer: object | undefined): Adviser & { readonly asked: ModelQuestion<unknown>[] } {
  const asked: ModelQuestion<unknown>[] = [];
  return {
    name: "test/sees",
    asked,
    ask: async (question) => {
      asked.push(question);
      return answer && question.answer.parse(answer);
    },
  };
}

const hearing = (text: string | undefined, heard: string[] = []) => ({
  name: "test/hears",
  transcribe: async ({ mime }: { readonly mime: string }) => {
    heard.push(mime);
    return text;
  },
});

const describer = (deps: Partial<DescriberDeps>) =>
  new Describer({
    vision: undefined,
    speech: undefined,
    films: undefined,
    shown: (_, bytes) => shownPicture(bytes),
    ...deps,
  });

const QUETZAL = { description: "A green bird with a long tail on a mossy branch.", text: "Monteverde" };

describe("a picture", () => {
  const file = async () => {
    const bytes = await picture();
    return { parsed: await parsePicture("bird", "image/png", bytes), bytes, instruction: "" };
  };

  it("an image gets the model's description, its text and its metadata", async () => {
    const vision = seeing(QUETZAL);
    const described = await describer({ vision }).describe(await file(), asking());
    expect(described).toMatchObject({ kind: "binary", mime: "image/png", title: "bird" });
    expect(described?.converted).toBe(described?.text);
    expect(described?.text).toMatch(
      /^# bird\n\nA green bird .*\n\n## Text\n\nMonteverde\n\n## Metadata\n\nPNG image, 320 × 200 pixels/,
    );
    expect(described?.outline).toMatch(/^A green bird/);
    expect(vision.asked[0]?.media?.[0]?.mime).toBe("image/jpeg");
  });

  it("an importer's instruction is sent to the vision model apart from the image's material", async () => {
    const vision = seeing(QUETZAL);
    await describer({ vision }).describe({ ...(await file()), instruction: "name the species" }, asking());
    expect(vision.asked[0]?.instructions).toContain("name the species");
    expect(JSON.stringify(vision.asked[0]?.material)).not.toContain("species");
  });

  it("an image stays unchanged if the model returns nothing or cannot read it", async () => {
    expect(await describer({ vision: seeing(undefined) }).describe(await file(), asking())).toBeUndefined();
    expect(
      await describer({ vision: seeing({ description: " ", text: "" }) }).describe(await file(), asking()),
    ).toBeUndefined();
    const vision = seeing(QUETZAL);
    expect(
      await describer({ vision }).describe({ ...(await file()), bytes: Buffer.from("broken") }, asking()),
    ).toBeUndefined();
    expect(vision.asked).toEqual([]);
  });

  it("a model's description of an image is cut to a limit", async () => {
    const described = await describer({
      vision: seeing({ description: "x".repeat(100_000), text: "y".repeat(100_000) }),
    }).describe(await file(), asking());
    expect(described!.text.length).toBeLessThan(21_000);
  });
});

describe("a recording", () => {
  const file = async () => {
    const bytes = recording();
    return { parsed: await parseRecording("take7", "audio/wav", bytes), bytes, instruction: "" };
  };

  it("a recording gets its transcript as text", async () => {
    const heard: string[] = [];
    const described = await describer({ speech: hearing("The ship leaves at nine.", heard) }).describe(
      await file(),
      asking(),
    );
    expect(described?.text).toContain("## Transcript\n\nThe ship leaves at nine.\n\n## Metadata");
    expect(heard).toEqual(["audio/wav"]);
  });

  it("a long transcript of a recording is split into sections", async () => {
    const words = "The ship leaves the harbour at nine in the morning. ".repeat(400);
    const described = await describer({ speech: hearing(words) }).describe(await file(), asking());
    expect(described?.sections?.map(({ text }) => text).join("")).toBe(described?.text);
  });

  it("a recording without speech stays unchanged", async () => {
    expect(await describer({ speech: hearing("") }).describe(await file(), asking())).toBeUndefined();
    expect(await describer({ speech: hearing(undefined) }).describe(await file(), asking())).toBeUndefined();
  });
});

describe("without a model", () => {
  it.each([
    ["image/png", {}, /vision model/],
    ["audio/mpeg", { vision: seeing({}) }, /speech model/],
    ["video/mp4", {}, /vision or speech model/],
    ["video/mp4", { vision: seeing({}) }, /ffmpeg/],
  ] as const)("a file of type %s is not described without a model, with the reason", (mime, deps, why) => {
    expect(describer(deps).whyNot(mime)).toMatch(why);
    expect(describer(deps).describes(mime)).toBe(false);
  });

  it("a file that is not media needs no description", () => {
    expect(describer({}).whyNot("application/pdf")).toBeUndefined();
    expect(describer({ vision: seeing({}) }).describes("application/pdf")).toBe(false);
  });
});

describe.skipIf(MISSING_FFMPEG)("a film", () => {
  it.each(["mp4", "avi"] as const)(
    "a video in %s is described by its images and its speech",
    async (extension) => {
      const { path, remove } = await temporaryFolder();
      const spool: FilmScratch & Pick<Spool, "list"> = await Spool.open(path);
      const films = await Films.open(spool, () => "scratch1");
      const bytes = await film(extension);
      const mime = extension === "mp4" ? "video/mp4" : "video/x-msvideo";
      const parsed = await parseRecording("film", "video/mp4", await film("mp4"));
      const vision = seeing({ description: "A test picture with moving colours.", text: "" });
      const heard: string[] = [];
      const described = await describer({ vision, films, speech: hearing("A long tone.", heard) }).describe(
        { parsed: { ...parsed, mime }, bytes, instruction: "" },
        asking(),
      );
      expect(vision.asked[0]?.media).toHaveLength(8);
      expect(
        vision.asked[0]?.media?.every(({ bytes: frame }) => frame[0] === 0xff && frame[1] === 0xd8),
      ).toBe(true);
      expect(vision.asked[0]?.material.at(-1)?.text).toBe("A long tone.");
      expect(heard).toEqual(["audio/mpeg"]);
      expect(described?.text).toMatch(
        /^# Harbour film\n\nA test picture .*\n\n## Transcript\n\nA long tone\.\n\n## Metadata/,
      );
      for await (const left of spool.list()) expect.unreachable(`${left} was left behind`);
      await remove();
    },
  );

  it("a video file that is a disguised playlist is not read", async () => {
    const { path, remove } = await temporaryFolder();
    const films = (await Films.open(await Spool.open(path), () => "scratch1"))!;
    const playlist = Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n");
    for (const mime of ["video/mp4", "video/x-msvideo"]) {
      await expect(films.frames(mime, playlist, 1, new AbortController().signal)).rejects.toThrow();
      await expect(films.sound(mime, playlist, new AbortController().signal)).rejects.toThrow();
    }
    await remove();
  });
});
