import { describe, expect, it } from "vitest";
import { directoryLayers, MAX_DIRECTORY_OVERVIEW_LENGTH } from "../../../src/enrich/directory-layers.ts";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import {
  type LayerSource,
  MAX_ABSTRACT_LENGTH,
  MAX_FILE_OVERVIEW_LENGTH,
} from "../../../src/enrich/layers.ts";
import { placedSentences } from "../../../src/enrich/lead-sentence.ts";
import { rankSentences } from "../../../src/enrich/rank-sentences.ts";
import { markdownOutline } from "../../../src/enrich/text-blocks.ts";

const source = (text: string, more: Partial<LayerSource> = {}): LayerSource => ({
  kind: "markdown",
  title: "Doc",
  text,
  outline: "",
  ...more,
});

const sentencesOf = (text: string): string[] =>
  placedSentences(markdownOutline(text).blocks).map((sentence) => sentence.text);

describe("layers of a file", () => {
  it("say what the text says, and its title only where the text does not", () => {
    const text =
      "# Lighthouse\n\nThe lighthouse keeper of Skerryvore trims the lamp every four hours through the night.\n";
    expect(fileLayers(source(text, { title: "Lighthouse" }), "lighthouse.md").abstract).toBe(
      "The lighthouse keeper of Skerryvore trims the lamp every four hours through the night.",
    );
    expect(fileLayers(source("Lava flows from the crater.", { title: "Volcano" }), "v.md").abstract).toBe(
      "Volcano: Lava flows from the crater.",
    );
  });

  it("are written in the language of the content", () => {
    const text =
      "# 长江\n\n长江是中国最长的河流，发源于青藏高原，流经十一个省区，最后注入东海。三峡大坝是世界上最大的水电站。";
    const { abstract, overview } = fileLayers(source(text, { title: "长江", outline: "- 长江" }), "zh.md");
    expect(abstract).toBe("长江是中国最长的河流，发源于青藏高原，流经十一个省区，最后注入东海。");
    expect(overview).toBe(`# 长江\n\n${text.slice("# 长江\n\n".length)}`);
  });

  it("pass over code, tables, link lists, headings and dot leaders", () => {
    const text = [
      "---\ntitle: hidden matter here\n---\n# The heading line\n",
      "```js\nconst code = 'inside the fence';\n```\n",
      "| table cell | other cell |\n|---|---|\n| more cells | and more |\n",
      "- [a link in a list](http://h.org/x)\n- [another link item](http://h.org/y)\n",
      "Chapter one ........... 12\n\n",
      "The **only** [sentence](http://h.org) that is `prose` stands here.\n",
    ].join("\n");
    expect(sentencesOf(text)).toEqual(["The only sentence that is prose stands here."]);
    expect(fileLayers(source(text, { title: "" }), "x.md").abstract).toBe(
      "x: The only sentence that is prose stands here.",
    );
  });

  it("choose what the text is about over what is said in passing, without saying it twice", () => {
    const about = [
      "Tides are raised by the pull of the moon on the ocean.",
      "Tides, then, are raised by the pull of the moon.",
      "Spring tides come when sun and moon pull the ocean together.",
    ];
    const aside = [
      "My cousin once bought a green bicycle in Ghent.",
      "Lunch was served at noon with pickled onions.",
    ];
    const sentences = [about[0], about[1], aside[0], about[2], aside[1]] as string[];
    const ranked = rankSentences(sentences);
    const scores = ranked.centrality.map((rank, i) => 0.6 * rank + 0.4 / (1 + i / 3));
    expect(ranked.choose(scores, 2, 500).map((i) => sentences[i])).toEqual([about[0], about[2]]);
  });

  it.each([
    ["an empty file", source("", { title: "" }), "field-notes_2.md", /^field notes 2$/],
    ["mere code", source("```\nx = 1\n```\n"), "x.md", /x = 1|Doc/],
    [
      "a binary file",
      source("", { kind: "binary", title: "blob", outline: "image/png, 8 bytes" }),
      "blob.png",
      /^blob\.png: image\/png, 8 bytes\.$/,
    ],
    [
      "data",
      source('{"a":1}', { kind: "data", title: "zoo", outline: "- animals: [2]\n  - name\n- year: 3" }),
      "zoo.json",
      /^zoo\.json: animals and year\.$/,
    ],
    [
      "code",
      source("…", {
        kind: "code",
        title: "engine",
        outline: "class Injector\n  def nozzle(self)\ndef start(rpm)",
      }),
      "engine.py",
      /^engine\.py: Injector and start\.$/,
    ],
    [
      "code without an outline",
      source("-- The quokka script\nlocal x = 1\n", { kind: "code", title: "app" }),
      "app.lua",
      /^app\.lua: The quokka script\.$/,
    ],
    ["signs", source("*** --- ===\n***", { title: "?" }), "_.md", /\S/],
  ])("of %s are never empty", (_, file, name, expected) => {
    const { abstract, overview } = fileLayers(file, name);
    expect(abstract).toMatch(expected);
    expect(overview.trim()).not.toBe("");
  });

  it.each([
    ["brackets", "[".repeat(300_000)],
    ["emphasis", "*a".repeat(150_000)],
    ["quotes", "> ".repeat(150_000)],
    ["tags", "<a".repeat(150_000)],
    ["one long word", "😀".repeat(150_000)],
    [
      "ten thousand sentences",
      "The quick engine number runs over a lazy signal. Another sentence follows it. ".repeat(5000),
    ],
  ])("are bounded for %s", (_, text) => {
    for (const kind of ["markdown", "text", "code"] as const) {
      const { abstract, overview } = fileLayers(
        source(text, { kind, outline: "- o\n".repeat(5000), title: "t".repeat(500) }),
        "a.md",
      );
      expect(abstract.length).toBeLessThanOrEqual(MAX_ABSTRACT_LENGTH);
      expect(overview.length).toBeLessThanOrEqual(MAX_FILE_OVERVIEW_LENGTH);
      expect((abstract + overview).isWellFormed()).toBe(true);
    }
  });
});

describe("layers of a directory", () => {
  const child = (name: string, abstract: string, isDirectory = false) => ({ name, isDirectory, abstract });

  it("say what kinds of files it holds, how many, and their names, and list each with its abstract", () => {
    const { abstract, overview } = directoryLayers(
      "sea-things",
      [
        child("light.md", "The lighthouse keeper trims the lamp."),
        child("tides", "Tides are raised by the moon.", true),
      ],
      2,
    );
    expect(abstract).toBe("sea things: 1 document and 1 folder: light and tides.");
    expect(overview).toBe(
      "# sea things\n\n1 document and 1 folder.\n\n- light.md: The lighthouse keeper trims the lamp.\n- tides/: Tides are raised by the moon.",
    );
  });

  it("take the words of a README before a count", () => {
    const children = [
      child("README.md", "Harbour is a library that schedules ships."),
      child("berths.ts", "berths.ts: Berth."),
    ];
    const { abstract, overview } = directoryLayers("harbour", children, 2);
    expect(abstract).toBe("Harbour is a library that schedules ships.");
    expect(overview).toContain(
      "# harbour\n\nHarbour is a library that schedules ships. 1 document and 1 source file.\n",
    );
    expect(directoryLayers("docs", [child("index.md", "Index: Guides for captains.")], 1).abstract).toBe(
      "docs: Guides for captains.",
    );
  });

  it("of an empty one are its name", () => {
    expect(directoryLayers("hollow-place", [], 0)).toEqual({
      abstract: "hollow place",
      overview: "# hollow place",
    });
  });

  it("of a full one are bounded, name some of it, and count the rest", () => {
    const children = Array.from({ length: 200 }, (_, i) =>
      child(
        `f${String(i).padStart(3, "0")}.md`,
        `Topic number ${i} speaks of ${"many other things ".repeat(20)}`,
      ),
    );
    const { abstract, overview } = directoryLayers("big", children, 5000);
    expect(abstract).toBe("big: 5,000 entries: f000, f001, f002, f003, f004, f005 and 4,994 more.");
    expect(overview.length).toBeLessThanOrEqual(MAX_DIRECTORY_OVERVIEW_LENGTH);
    expect(overview).not.toContain("…");
    const listed = overview.split("\n- f").length - 1;
    expect(overview).toContain(`\n- and ${(5000 - listed).toLocaleString("en-US")} more`);
  });

  it("list a child without an abstract by its name", () => {
    expect(directoryLayers("d", [child("field-notes.md", "")], 1)).toEqual({
      abstract: "d: 1 document: field notes.",
      overview: "# d\n\n1 document.\n\n- field-notes.md",
    });
  });
});
