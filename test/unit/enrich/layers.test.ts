import { describe, expect, it } from "vitest";
import type { Children, LayerChild } from "../../../src/enrich/directory/child-lines.ts";
import {
  directoryLayers,
  MAX_DIRECTORY_OVERVIEW_LENGTH,
} from "../../../src/enrich/directory/directory-layers.ts";
import { nestedLines } from "../../../src/enrich/directory/nested-lines.ts";
import { topicsIn } from "../../../src/enrich/directory/topics.ts";
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
  it.each([
    ["an object", '{"toString":1}'],
    ["a list with an object", '[{"toString":1},"The owl counts nets."]'],
    ["lists within lists", "[".repeat(10_000) + "]".repeat(10_000)],
    ["very many lists", `[${"[],".repeat(300_000)}""]`],
    ["a number", "7"],
  ])("a notebook with a cell of %s has layers", (_, cell) => {
    const text = `{"nbformat":4,"cells":[{"cell_type":"markdown","source":${cell}}]}`;
    const { abstract } = fileLayers(source(text, { kind: "data", title: "owls" }), "owls.ipynb");
    expect(abstract).not.toBe("");
  });

  it.each(["\n", "\r\n", "\r", "\u2028"])("the lines of a conversation may end with %j", (end) => {
    const lines = ["Ann: The ferry leaves at nine.", "Bob: I bring the nets.", "Ann: Then we mend them."];
    const text = lines.map((line, i) => `12:0${i} ${line}`).join(end);
    const talk = source(text, { kind: "text", title: "talk" });
    expect(fileLayers(talk, "talk.txt").overview).toContain("Conversation of Ann and Bob, 3 messages.");
  });

  it("the layers of code describe its exports, beginning with the one named like the file", () => {
    const outline = [
      "const part = (text: string): string — Cuts a part out of the middle.",
      "export const LIMIT — Most items that are kept at once.",
      "export function queueOf(name: string): Queue — The queue of that name, made where there is none.",
    ].join("\n");
    const code = source("const part = 1;\n", { kind: "code", title: "queue-of", outline });
    expect(fileLayers(code, "queue-of.ts").abstract).toBe(
      "queue-of.ts: The queue of that name, made where there is none.",
    );
  });

  it("an abstract quotes the text, and adds the title only if the text does not contain the title", () => {
    const text =
      "# Lighthouse\n\nThe lighthouse keeper of Skerryvore trims the lamp every four hours through the night.\n";
    expect(fileLayers(source(text, { title: "Lighthouse" }), "lighthouse.md").abstract).toBe(
      "The lighthouse keeper of Skerryvore trims the lamp every four hours through the night.",
    );
    expect(fileLayers(source("Lava flows from the crater.", { title: "Volcano" }), "v.md").abstract).toBe(
      "Volcano: Lava flows from the crater.",
    );
  });

  it("layers are written in the language of the content", () => {
    const text =
      "# 长江\n\n长江是中国最长的河流，发源于青藏高原，流经十一个省区，最后注入东海。三峡大坝是世界上最大的水电站。";
    const { abstract, overview } = fileLayers(source(text, { title: "长江", outline: "- 长江" }), "zh.md");
    expect(abstract).toBe("长江是中国最长的河流，发源于青藏高原，流经十一个省区，最后注入东海。");
    expect(overview).toBe(`# 长江\n\n${text.slice("# 长江\n\n".length)}`);
  });

  it("layers leave out code, tables, link lists, headings and dot leaders", () => {
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
      "The heading line: The only sentence that is prose stands here.",
    );
  });

  it("layers of reStructuredText leave out directives, roles, targets and substitutions", () => {
    const text = [
      "=======\ntidebuf\n=======\n\n|Build| |Docs|\n",
      ".. |Build| image:: https://ci.example.org/tidebuf.svg\n   :alt: the build status\n   :target: https://ci.example.org",
      "\n.. note:: The words of a directive are not those of the document.\n",
      "``tidebuf`` is a ring buffer for the `streams of\nbytes <https://example.org/bytes>`_ of :py:class:`~io.Reader`.\n",
      "It is read like this::\n\n    this line is code of the example\n",
      "Features\n--------\n\n* Never copies what it_ holds.\n",
    ].join("\n");
    const { abstract, overview } = fileLayers(source(text, { kind: "text", title: "readme" }), "readme.rst");
    expect(abstract).toBe("tidebuf is a ring buffer for the streams of bytes of io.Reader.");
    expect(overview).toMatch(/^# tidebuf\n/);
    expect(overview).toContain("- Features");
    expect(overview).not.toMatch(/example\.org|directive|build status|`|_|line is code/);
  });

  it("layers name licences and changelogs instead of quoting them", () => {
    const licence =
      "Copyright (c) 2026 Ada Byron\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software.";
    expect(fileLayers(source(licence, { kind: "text" }), "LICENSE").abstract).toBe(
      "LICENSE: MIT License, copyright 2026 Ada Byron.",
    );
    const changes = "# Changelog\n\n## v2.1.0 (2026-02-10)\n\nThe lamp no longer flickers at night.\n";
    expect(fileLayers(source(changes), "CHANGELOG.md").abstract).toBe(
      "CHANGELOG: changes by version, newest v2.1.0 (2026-02-10).",
    );
    const essay = `# On licences\n\n${licence} People have argued about these words for forty years.`;
    expect(fileLayers(source(essay), "essay.md").abstract).not.toContain("Ada Byron.");
  });

  it("the title in a layer consists of words, not of badges or the name README", () => {
    const badge = "[![CI status](https://ci.example.org/b.svg)](https://ci.example.org)";
    const text = `# tidebuf ${badge}\n\nA ring buffer that never copies.\n`;
    expect(fileLayers(source(text, { title: "tidebuf CI status" }), "README.md").abstract).toBe(
      "tidebuf: A ring buffer that never copies.",
    );
    const untitled = "## Installation\n\nA ring buffer that never copies is what you get.\n";
    expect(fileLayers(source(untitled, { title: "README" }), "README.md").abstract).toBe(
      "A ring buffer that never copies is what you get.",
    );
  });

  it("an abstract uses the subtitle, or the part of the title after the file's name", () => {
    const motto = "# tidebuf\n\n### Ring buffers for streams of bytes\n\nUse it wherever you like.\n";
    expect(fileLayers(source(motto, { title: "tidebuf" }), "tidebuf.md").abstract).toBe(
      "tidebuf: Ring buffers for streams of bytes.",
    );
    const named = "# tidebuf - ring buffers for streams of bytes\n\nSee the guide for more.\n";
    expect(fileLayers(source(named), "tidebuf.md").abstract).toBe(
      "tidebuf: ring buffers for streams of bytes.",
    );
    const chapter = "# Chapter 3: how the buffer grows\n\nA buffer grows by doubling its size.\n";
    expect(fileLayers(source(chapter), "growth.md").abstract).toContain("doubling its size");
  });

  it("an abstract continues with list items or a link that complete its sentence", () => {
    const list =
      "# Tide\n\nTide is a library for:\n\n- reading streams of bytes;\n- copying nothing at all.\n";
    expect(fileLayers(source(list, { title: "Tide" }), "tide.md").abstract).toBe(
      "Tide is a library for reading streams of bytes and copying nothing at all.",
    );
    const link = "# Tide\n\nTide is a small and quick fork of\n[ringbuf](https://example.org/ringbuf).\n";
    expect(fileLayers(source(link, { title: "Tide" }), "tide.md").abstract).toBe(
      "Tide is a small and quick fork of ringbuf.",
    );
  });

  it("an abstract prefers the statement of the topic, without repetition", () => {
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
      /^zoo\.json: data with the keys animals and year\.$/,
    ],
    [
      "code",
      source("…", {
        kind: "code",
        title: "engine",
        outline: "class Injector\n  def nozzle(self)\ndef start(rpm)",
      }),
      "engine.py",
      /^engine\.py: defines Injector and start\.$/,
    ],
    [
      "code without an outline",
      source("-- The quokka script\nlocal x = 1\n", { kind: "code", title: "app" }),
      "app.lua",
      /^app\.lua: sets x\.$/,
    ],
    ["signs", source("*** --- ===\n***", { title: "?" }), "_.md", /\S/],
  ])("layers of %s are not empty", (_, file, name, expected) => {
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
  ])("layers of %s have bounded length", (_, text) => {
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
  const held = (shown: readonly LayerChild[], count = shown.length): Children => ({ shown, more: [], count });

  it("a declaration in a source file called index or skill does not describe its directory", () => {
    const children = ["index.ts", "skill.ts", "queue.ts"].map((name) => ({
      name,
      isDirectory: false,
      abstract: `${name}: first: The first of many things.`,
    }));
    expect(directoryLayers("domain", held(children)).abstract).toBe(
      "domain: 3 source files: skill, queue and index.",
    );
    const page = { name: "index.md", isDirectory: false, abstract: "Rules of the domain." };
    expect(directoryLayers("domain", held([...children, page])).abstract).toBe("Rules of the domain.");
  });

  const child = (name: string, abstract: string, isDirectory = false) => ({ name, isDirectory, abstract });

  it.each([
    [
      "tar",
      "common.go",
      "Package tar implements access to tar archives.",
      "Package tar implements access to tar archives.",
    ],
    [
      "src",
      "lib.rs",
      "A library for finding many patterns at once.",
      "src: A library for finding many patterns at once.",
    ],
    ["email", "__init__.py", "A package for parsing messages.", "A package for parsing messages."],
    ["queue", "queue.py", "Queues of jobs for workers.", "Queues of jobs for workers."],
    ["src", "lib.rs", "Queue: A queue of the jobs; also Job.", "src: 2 source files: reader and lib."],
    ["mime", "__init__.py", "1 lines of source code.", "mime: 2 source files: reader and init."],
    ["tar", "stat.go", "Stat is the state of a file.", "tar: 2 source files: reader and stat."],
  ])("the folder %s with %s, whose abstract is %j, is described as %j", (folder, file, said, abstract) => {
    const other = `reader${file.endsWith(".go") ? ".go" : ".rs"}`;
    const children = [child(other, `${other}: read.`), child(file, `${file}: ${said}`)];
    expect(directoryLayers(folder, held(children)).abstract.replace(/^(?:email|queue): /, "")).toBe(abstract);
  });

  it("directory layers count files by kind, name them, and list their abstracts", () => {
    const { abstract, overview } = directoryLayers(
      "sea-things",
      held([
        child("light.md", "The lighthouse keeper trims the lamp."),
        child("tides", "Tides are raised by the moon.", true),
      ]),
    );
    expect(abstract).toBe("sea things: 1 document and 1 folder: light and tides.");
    expect(overview).toBe(
      "# sea things\n\n1 document and 1 folder.\n\n- light.md: The lighthouse keeper trims the lamp.\n- tides/: Tides are raised by the moon.",
    );
  });

  it("directory layers begin with the README instead of a count", () => {
    const children = [
      child("README.md", "Harbour is a library that schedules ships."),
      child("berths.ts", "berths.ts: Berth."),
    ];
    const { abstract, overview } = directoryLayers("harbour", held(children));
    expect(abstract).toBe("Harbour is a library that schedules ships.");
    expect(overview).toContain(
      "# harbour\n\nHarbour is a library that schedules ships. 1 document and 1 source file.\n",
    );
    expect(directoryLayers("docs", held([child("index.md", "Index: Guides for captains.")])).abstract).toBe(
      "docs: Guides for captains.",
    );
  });

  it("the layers of an empty directory consist of its name", () => {
    expect(directoryLayers("hollow-place", held([]))).toEqual({
      abstract: "hollow place",
      overview: "# hollow place",
    });
  });

  it("the layers of a full directory are limited, name some files and count the rest", () => {
    const children = Array.from({ length: 200 }, (_, i) =>
      child(
        `f${String(i).padStart(3, "0")}.md`,
        `Topic number ${i} speaks of ${"many other things ".repeat(20)}`,
      ),
    );
    const { abstract, overview } = directoryLayers("big", held(children, 5000));
    expect(abstract).toBe("big: 5,000 entries: f000, f001, f002, f003, f004, f005 and 4,994 more.");
    expect(overview.length).toBeLessThanOrEqual(MAX_DIRECTORY_OVERVIEW_LENGTH);
    expect(overview).toContain("\n- f000.md: Topic number 0 speaks of many other things");
    const listed = overview.split("\n- f").length - 1;
    expect(overview).toContain(`\n- \`f*\`: ${200 - listed} more, `);
    expect(overview).toContain("\n- and 4,800 more");
  });

  const sockets = ["accept", "bind", "listen"].map((name) =>
    child(`${name}.2`, `${name}: wait on a socket.`),
  );
  const memory = ["mmap", "mlock"].map((name) => child(`${name}.2`, `${name}: map pages into memory.`));
  const times = ["time", "stime"].map((name) => child(`${name}.2`, `${name}: seconds of the clock.`));

  it("the abstract of a large directory lists its themes before some names", () => {
    expect(directoryLayers("man2", held([...sockets, ...memory, ...times])).abstract).toBe(
      "man2: 7 manual pages about wait, map and seconds: accept, bind, listen, mmap and 3 more.",
    );
  });

  it("the themes of a German directory contain no function words", () => {
    const pages = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"].map((name, i) =>
      child(`${name}.md`, i < 3 ? "Alles für Netze." : i < 6 ? "Alles über Boote." : "Alles unter Anker."),
    );
    expect(directoryLayers("hafen", held(pages)).abstract).toContain("about netze, boote and anker");
  });

  it("a directory with one entry is described by that entry, a folder or a file", () => {
    expect(directoryLayers("lib", held([child("tools", "Tools that repair nets.", true)])).abstract).toBe(
      "lib: Tools that repair nets.",
    );
  });

  it("an overview shows the contents of folders, and their themes if there are many", () => {
    const { overview } = directoryLayers("man2", held([...sockets, ...memory, ...times]));
    const few = directoryLayers(
      "nets",
      held([child("mend.md", "How to mend."), child("cast.md", "How to cast.")]),
    );
    const folders = [
      { ...child("man2", "man2: 7 manual pages.", true), overview },
      { ...child("nets", "nets: 2 documents.", true), overview: few.overview },
    ];
    expect(directoryLayers("all", held(folders)).overview).toContain(
      "- nets/: 2 documents.\n  - mend.md: How to mend.\n  - cast.md: How to cast.",
    );
    expect(nestedLines(topicsIn(overview), 200)).toEqual([
      "  - about wait, socket: accept, bind, listen",
      "  - about map, memory: mmap, mlock",
      "  - about seconds, clock: time, stime",
    ]);
  });

  it("directory layers list a child without an abstract by its name", () => {
    expect(directoryLayers("d", held([child("field-notes.md", "")]))).toEqual({
      abstract: "d: 1 document: field notes.",
      overview: "# d\n\n1 document.\n\n- field-notes.md",
    });
  });
});
