import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LanguageServer, say } from "../support/language-server.ts";
import { photograph, picture, recording } from "../support/media.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { SpeechServer, saySpoken } from "../support/speech-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Added {
  readonly root_uri: string;
  readonly errors: string[];
  readonly warnings: string[];
}
interface Hit {
  readonly uri: string;
  readonly source?: string;
}

describe("pictures and recordings", () => {
  const vision = new LanguageServer();
  const speech = new SpeechServer();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let served: Served;

  const start = (settings: Record<string, string> = {}) =>
    serve({ CTXDB_LOCAL_PATHS: folder.path, ...settings });
  const models = () => ({
    CTXDB_VISION_PROVIDER: "openai",
    CTXDB_VISION_MODEL: "sees",
    CTXDB_VISION_BASE_URL: vision.url,
    CTXDB_SPEECH_PROVIDER: "openai",
    CTXDB_SPEECH_MODEL: "hears",
    CTXDB_SPEECH_BASE_URL: speech.url,
  });
  const call = async (name: string, body?: object) => (await served.rest(ROOT_KEY, name, body)).result;
  const add = (more: object = {}) =>
    call("POST resources", {
      path: join(folder.path, "media"),
      wait: true,
      timeout: 60,
      ...more,
    }) as Promise<Added>;
  const find = async (query: string) =>
    ((await call("POST search/find", { query })) as { resources: Hit[] }).resources;
  const read = (uri: string, what = "read") => call(`GET content/${what}?uri=${encodeURIComponent(uri)}`);

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, "media"));
    await writeFile(join(folder.path, "media", "harbour.png"), await picture());
    await writeFile(join(folder.path, "media", "IMG_0001.jpg"), await photograph());
    await writeFile(join(folder.path, "media", "take.wav"), recording());
    await vision.start();
    await speech.start();
  });
  afterAll(async () => {
    await vision.stop();
    await speech.stop();
    await folder.remove();
  });

  it("images and recordings are found by their metadata without a model, each with a warning", async () => {
    served = await start();
    const { root_uri: root, warnings, errors } = await add();
    expect(errors).toEqual([]);
    expect(warnings.filter((one) => /no (vision|speech) model/.test(one))).toHaveLength(3);
    expect(await read(`${root}/harbour.png`, "overview")).toContain("320 × 200 pixels");
    expect((await find("quetzal cloud forest"))[0]?.source).toBe(`${root}/IMG_0001.jpg`);
    expect((await find("harbour at dawn by Bob"))[0]?.source).toBe(`${root}/take.wav`);
    expect((await find("harbour.png")).map(({ uri }) => uri)).toContain(`${root}/harbour.png`);
    await served.close();
  });

  it("images and recordings are found by what vision and speech models recognize in them", async () => {
    vision.script = (answer, asked) =>
      say(answer, asked, {
        description: "Three red fishing boats beside a stone pier.",
        text: asked.user.includes("harbour") ? "Pier 7" : "",
      });
    speech.script = (...of) => saySpoken(...of, "The ferry to Rotterdam leaves at nine.");
    served = await start(models());
    const { root_uri: root, warnings } = await add({ instruction: "name the boats" });
    expect(warnings).toEqual([]);
    expect(await read(`${root}/harbour.md`)).toMatch(
      /^# harbour\n\nThree red fishing boats .*\n\n## Text\n\nPier 7\n/,
    );
    expect(await read(`${root}/harbour.png`, "abstract")).toContain("Three red fishing boats");
    expect((await find("when does the ferry leave?"))[0]?.source).toBe(`${root}/take.wav`);
    expect(vision.asked.every(({ system }) => system.includes("name the boats"))).toBe(true);
    expect(await read(`${root}/IMG_0001.md`)).toContain("- Camera: Acme One");

    const asked = vision.asked.length;
    await add({ instruction: "name the boats" });
    expect(vision.asked).toHaveLength(asked);
    await call("POST fs/mv", { from_uri: `${root}/harbour.png`, to_uri: `${root}/pier.png` });
    expect(await read(`${root}/pier.md`)).toContain("fishing boats");
    await served.close();
  });

  it("images and recordings keep their metadata if the models fail", async () => {
    vision.script = (answer, asked) => say(answer, asked, "I cannot see anything.");
    speech.script = (...of) => saySpoken(...of, "");
    served = await start(models());
    const { root_uri: root, errors } = await add();
    expect(errors).toEqual([]);
    expect(await read(`${root}/take.md`)).toContain("- Artist: Bob");
    expect(
      (await served.rest(ROOT_KEY, `GET fs/stat?uri=${encodeURIComponent(`${root}/harbour.md`)}`)).http,
    ).toBe(404);
    await served.close();
  });

  it("a broken image is refused by a strict import and stored otherwise", async () => {
    served = await start();
    await writeFile(join(folder.path, "broken.png"), "\x89PNG\r\n\x1a\n truncated", "latin1");
    const path = join(folder.path, "broken.png");
    const refused = await served.rest(ROOT_KEY, "POST resources", { path, wait: true });
    expect(refused.error).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { errors: [expect.stringContaining("broken.png")] },
    });
    const { errors } = (await call("POST resources", { path, wait: true, strict: false })) as Added;
    expect(errors.join()).toContain("broken.png");
    await served.close();
  });
});
