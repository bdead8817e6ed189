import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { untraced } from "../../../src/base/trace.ts";
import { remoteSpeech } from "../../../src/providers/ai/remote-speech.ts";
import type { SpentTokens } from "../../../src/providers/language.ts";
import type { SpeechModel } from "../../../src/providers/speech.ts";
import { ManualTiming } from "../../support/manual-timing.ts";
import { answerWith } from "../../support/scripted-server.ts";
import { type SpeechScript, SpeechServer, saySpoken } from "../../support/speech-server.ts";
import { KEY } from "./language.ts";

const RECORDING = { mime: "audio/mpeg", bytes: Buffer.from("not really a recording") };

describe.each(["openai", "google"] as const)("a speech model of %s", (provider) => {
  const server = new SpeechServer();
  let timing: ManualTiming;
  let lines: string[];
  let spent: SpentTokens[];
  let model: SpeechModel;
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    [timing, lines, spent] = [new ManualTiming(), [], []];
    server.requests.length = 0;
    const log = pino({ level: "info" }, { write: (line) => lines.push(line) });
    const remote = {
      provider,
      model: "hears-1",
      baseUrl: server.url,
      apiKey: KEY,
      settings: "CTXDB_SPEECH",
    } as const;
    model = remoteSpeech(remote, { timing, trace: untraced, log });
  });
  afterEach(() => {
    model.close();
    expect(lines.join()).not.toContain(KEY);
    expect(lines.join()).not.toContain("harbour");
  });

  const transcribe = (signal = new AbortController().signal) =>
    model.transcribe(RECORDING, { signal, count: (one) => spent.push(one) });

  it("a speech model call sends the recording and the key, and returns the transcript and the cost", async () => {
    server.script = (...of) => saySpoken(...of, "The ship leaves the harbour at nine.");
    expect(await transcribe()).toBe("The ship leaves the harbour at nine.");
    const [{ headers, body }] = server.requests as [(typeof server.requests)[0]];
    expect(String(headers.authorization ?? headers["x-goog-api-key"])).toContain(KEY);
    expect(body.includes("not really a recording") || body.includes(RECORDING.bytes.toString("base64"))).toBe(
      true,
    );
    expect(body).toContain("audio/mpeg");
    expect(spent).toHaveLength(1);
    expect(spent[0]!.completion).toBeGreaterThan(0);
  });

  it("a recording without speech has an empty transcript", async () => {
    server.script = (...of) => saySpoken(...of, "");
    expect(await transcribe()).toBe("");
  });

  it.each<[string, SpeechScript]>([
    ["HTML with status 200", (answer) => answerWith(answer, "<html>Please log in</html>")],
    ["JSON of another form", (answer) => answerWith(answer, { words: ["harbour"] })],
    ["a refused recording", (answer) => answerWith(answer, { error: { message: KEY } }, 400)],
  ])("a speech model's response is refused if it is %s", async (_, script) => {
    server.script = script;
    await expect(transcribe()).rejects.toMatchObject({ code: "VLM_FAILED" });
  });

  it.each<[string, SpeechScript]>([
    ["500", (answer) => answerWith(answer, { error: { message: "oh" } }, 500)],
    ["a refused key", (answer) => answerWith(answer, { error: { message: KEY } }, 401)],
    ["a redirect", (answer) => answerWith(answer, "", 302, { location: "http://127.0.0.1:9/steal" })],
  ])(
    "a speech model is not called for a while after failures with %s, which are logged once",
    async (_, script) => {
      server.script = script;
      for (let time = 0; time < 4; time++)
        await expect(transcribe()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      const { length } = server.requests;
      await expect(transcribe()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(server.requests).toHaveLength(length);
      expect(lines).toHaveLength(1);
    },
  );

  it("a speech call waits as long as a busy server requests, and ends when its caller leaves", async () => {
    let refusals = 1;
    server.script = (...of) =>
      refusals-- > 0 ? answerWith(of[0], {}, 429, { "retry-after": "7" }) : saySpoken(...of, "At nine.");
    expect(await transcribe()).toBe("At nine.");
    expect(timing.pauses).toEqual([10_500]);
    server.script = () => undefined;
    const leave = new AbortController();
    const left = expect(transcribe(leave.signal)).rejects.toThrow("enough");
    await server.heard();
    leave.abort(new Error("enough"));
    await left;
  });
});
