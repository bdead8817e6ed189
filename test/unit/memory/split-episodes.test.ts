import { describe, expect, test } from "vitest";
import { episodeLayers, episodeText, rarity } from "../../../src/memory/episodes/episode-text.ts";
import { contentLength, cutEpisodes } from "../../../src/memory/episodes/split-episodes.ts";
import { utterancesOf } from "../../../src/memory/utterance.ts";
import { conversation, type Line, spoken, tool } from "./conversation.ts";

const WORDS =
  "alder beech cedar dogwood elm fir gorse hazel ivy juniper kauri larch maple nettle oak pine quince rowan spruce teak".split(
    " ",
  );
const words = (length: number, from = 0): string => {
  let text = "";
  for (let i = from; text.length < length; i++)
    text += `${text === "" ? "" : " "}${WORDS[i % WORDS.length]}${i}`;
  return text.slice(0, length).trimEnd();
};
const cut = (lines: readonly Line[]) => cutEpisodes(conversation(lines));
const ids = (lines: readonly Line[]) => cut(lines).map(({ said }) => said.map(({ id }) => id).join(" "));

describe("the cut", () => {
  test("turns are grouped into episodes of 700 characters, and longer ones are cut between messages", () => {
    expect(
      ids([
        ["user", words(200)],
        ["assistant", words(200)],
        ["user", words(250)],
        ["user", words(100)],
      ]),
    ).toEqual(["m1 m2 m3 m4"]);
    expect(
      ids([
        ["user", words(300)],
        ["assistant", words(300)],
        ["user", words(150)],
        ["assistant", words(300)],
      ]),
    ).toEqual(["m1 m2", "m3 m4"]);
    // above 1,050: split inside, and following messages may still join the last part
    expect(
      ids([
        ["user", words(500)],
        ["assistant", words(600)],
        ["user", words(90)],
        ["assistant", words(300)],
      ]),
    ).toEqual(["m1", "m2", "m3 m4"]);
    expect(
      ids([
        ["user", words(400)],
        ["assistant", words(400)],
        ["user", words(150)],
      ]),
    ).toEqual(["m1 m2 m3"]);
    expect(
      ids([
        ["user", words(600)],
        ["assistant", words(400)],
        ["user", words(150)],
      ]),
    ).toEqual(["m1 m2", "m3"]);
    // between 700 and 1,050 an exchange stays in one piece
    expect(
      ids([
        ["user", words(500)],
        ["assistant", words(500)],
      ]),
    ).toEqual(["m1 m2"]);
  });

  test("a Chinese character counts as two in the length of an episode", () => {
    expect(contentLength("茶 tea")).toBe(6);
    expect(
      ids([
        ["user", "茶".repeat(200)],
        ["assistant", "水".repeat(200)],
        ["user", "好茶".repeat(50)],
        ["assistant", "好水".repeat(50)],
      ]),
    ).toEqual(["m1 m2", "m3 m4"]);
  });

  test("a long message is cut into episodes at paragraphs, lines or sentences, without loss", () => {
    const paragraphs = Array.from({ length: 6 }, (_, i) => `${words(250, i * 40)}.`);
    const pieces = cut([
      ["user", "Tell me"],
      ["assistant", paragraphs.join("\n\n")],
    ]).flatMap(({ said }) => said);
    expect(pieces.map(({ text }) => text).join("\n\n")).toBe(["Tell me", ...paragraphs].join("\n\n"));
    expect(
      Math.max(
        ...cut([["assistant", words(5000)]]).map(({ said }) =>
          said.reduce((sum, { text }) => sum + text.length, 0),
        ),
      ),
    ).toBeLessThanOrEqual(1050);
    const all = "雨".repeat(3000);
    const chinese = cut([["user", all]]).flatMap(({ said }) => said.map(({ text }) => text));
    expect(chinese.join("")).toBe(all);
    expect(Math.max(...chinese.map(contentLength))).toBeLessThanOrEqual(1050);
  });

  test("small talk creates no separate episode", () => {
    expect(
      cut([
        ["user", "Hi!"],
        ["assistant", "Hello, how are you?"],
        ["user", "好的，谢谢"],
      ]),
    ).toEqual([]);
    const [first, ...others] = cut([
      ["user", "Hey"],
      ["assistant", "Hi"],
      ["user", words(690)],
      ["assistant", words(300)],
    ]);
    expect(others).toEqual([]);
    expect(first!.border.map(({ id }) => id)).toEqual(["m2"]);
  });

  test("a tool call in an episode shows the beginning and the end of its output", () => {
    const output = `begin ${"x ".repeat(4000)} end`;
    const [episode] = cut([["assistant", "Looking.", tool("grep", { pattern: "lease" }, output, "error")]]);
    const { text } = episode!.said[0]!;
    expect(text).toMatch(/^Looking\.\n\[grep error\] \{"pattern":"lease"\}\nbegin .* … .* end$/s);
    expect(text.length).toBeLessThan(800);
  });
});

describe("stored episodes", () => {
  const lines: Line[] = [
    ["user", "The lock gate of dock nine leaks since Tuesday. Who can help?"],
    ["assistant", "The Skerryvore crew should bring the caulking iron."],
    ["user", "Thanks, that is great! They come on Friday with two irons."],
  ];

  test("an episode stores date and speakers, then every message word for word", () => {
    const [episode] = cut(lines);
    const { text, start, title } = episodeText(episode!);
    expect(text).toBe(
      `# 2026-11-21 09:00 · user, assistant\n\nuser: ${lines[0]![1]}\n\nassistant: ${lines[1]![1]}\n\nuser: ${lines[2]![1]}\n`,
    );
    expect(text.slice(start)).toMatch(/^user: The lock gate/);
    expect(title).toBe("[2026-11-21 09:00]");
  });

  test("the L0 of an episode has its key sentences in order, and its L1 names the speakers", () => {
    const utterances = conversation(lines);
    const { abstract, overview } = episodeLayers(cutEpisodes(utterances)[0]!, rarity(utterances));
    expect(abstract).toBe(
      "The lock gate of dock nine leaks since Tuesday. Who can help? The Skerryvore crew should bring the caulking iron. They come on Friday with two irons.",
    );
    expect(overview).toContain("- assistant: The Skerryvore crew");
  });

  test("transcripts are read with speakers and times, and text that only looks like one stays unchanged", () => {
    const noted = utterancesOf(
      spoken([
        ["user", "[1:56 pm on 8 May, 2023] Ada Lovelace: I found the letter."],
        ["assistant", "[1:57 pm on 8 May, 2023] Ben: Which one?"],
        ["user", "[1:58 pm on 8 May, 2023] Ada Lovelace: Note: it is in French."],
      ]),
    );
    expect(noted.map(({ speaker, when, date, text }) => [speaker, when, date, text])).toEqual([
      ["Ada Lovelace", "1:56 pm on 8 May, 2023", "2023-05-08", "I found the letter."],
      ["Ben", "1:57 pm on 8 May, 2023", "2023-05-08", "Which one?"],
      ["Ada Lovelace", "1:58 pm on 8 May, 2023", "2023-05-08", "Note: it is in French."],
    ]);
    const plain = conversation([
      ["user", "Note: the meeting moved."],
      ["user", "See you there."],
      ["user", "Bring cake."],
    ]);
    expect(plain.map(({ speaker, text }) => [speaker, text])).toEqual([
      ["user", "Note: the meeting moved."],
      ["user", "See you there."],
      ["user", "Bring cake."],
    ]);
  });
});
