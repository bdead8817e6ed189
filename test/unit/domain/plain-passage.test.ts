import { describe, expect, it } from "vitest";
import { plainPassage } from "../../../src/domain/text/plain-passage.ts";

const whole = (text: string) => plainPassage(text, { start: 0, end: text.length }, { max: 1000, enough: 0 });

describe("a passage of Markdown as a reader sees it", () => {
  it.each([
    [
      "badges",
      "# duck\n\n[![Build](https://ci/x.svg)](https://ci/x) [![npm][npm-image]][npm-url]\n\nA duck is a bird.",
      "duck: A duck is a bird.",
    ],
    [
      "link targets",
      'See the [guide](https://x.org/guide "Guide") and [that][1].\n\n[1]: https://x.org',
      "See the guide and that.",
    ],
    [
      "front matter",
      "---\ntitle: Fetch\nnav: x\n---\n\nFetch extends the Web API.",
      "Fetch extends the Web API.",
    ],
    [
      "HTML tags and comments",
      '<p align="center"><b>Fast</b> and small</p>\n\n<!-- hidden -->\n\nIt is <kbd>fast</kbd>.',
      "Fast and small\n\nIt is fast.",
    ],
    [
      "comments and imports of MDX",
      "import X from 'x'\n\n{/* do not edit */}\n\nRead <Link>this</Link>.",
      "Read this.",
    ],
    [
      "a table of contents",
      "## Contents\n\n- [One](#one)\n- [Two](#two)\n- [Three](#three)\n\n## One\n\nFirst things first.",
      "One: First things first.",
    ],
    [
      "a heading without text",
      "# Picture\n\n## Use\n\nPress the button.\n\n## Rest",
      "Use: Press the button.",
    ],
    [
      "licence boilerplate",
      "Copyright (c) 2020 Ann\n\nPermission is hereby granted, free of charge, to any person.\n\nIt parses dates.",
      "It parses dates.",
    ],
    ["markers of an admonition", "> [!NOTE]\n> Keys are secret.", "Keys are secret."],
  ])("a passage is shown without %s", (_, text, shown) => {
    expect(whole(text)).toBe(shown);
  });

  it("a passage keeps code, table rows and list items", () => {
    expect(whole("Run it:\n\n```sh\nnpm ci\n```")).toBe("Run it:\n\nnpm ci");
    expect(whole("| name | default |\n|---|---|\n| `port` | 1933 |")).toBe("name | default\nport | 1933");
    expect(whole("1. Open **it**\n2. Close it\n   - twice")).toBe(
      "1. Open it\n2. Close it\n\n  - twice".replace("\n\n", "\n"),
    );
  });

  it("a passage that begins inside a code block is read as code", () => {
    const text = "Set it:\n\n```sh\nexport A=1\n# not a heading\nexport B=2\n```\n\nDone.";
    const start = text.indexOf("# not");
    expect(plainPassage(text, { start, end: text.length }, { max: 1000, enough: 0 })).toBe(
      "# not a heading\nexport B=2\n\nDone.",
    );
  });

  it("table rows without a header row are read as a table", () => {
    expect(whole("| `limit` | 3 |\n| `offset` | 0 |")).toBe("limit | 3\noffset | 0");
  });

  it("a passage that consists only of noise is shown unchanged", () => {
    expect(whole("# Only a title")).toBe("Only a title:");
    expect(whole("[One](#one)")).toBe("One");
    expect(whole('---\ntitle: Fetch\ndescription: "Gets data."\n---\n')).toBe("Fetch\n\nGets data.");
    expect(plainPassage("# Only a title", { start: 0, end: 14 }, { max: 1000, enough: 0 })).toBe(
      "Only a title:",
    );
    expect(whole("![a](b.png)")).toBe("");
  });

  it("a short passage is extended to the end of its section and into the next one", () => {
    const text = `# Why\n\nStatus: accepted.\n\n## Context\n\nA crash must not end the server.\n\n## Decision\n\n${"Processes. ".repeat(20)}`;
    const end = text.indexOf("## Context");
    const options = { max: 90, enough: 40 };
    expect(plainPassage(text, { start: 0, end }, options)).toBe(
      "Why: Status: accepted.\n\nContext: A crash must not end the server.",
    );
    expect(plainPassage(text, { start: 0, end }, { ...options, enough: 0 })).toBe("Why: Status: accepted.");
  });

  it("a hostile passage is shown with a limited length", () => {
    for (const text of [
      "[".repeat(200_000),
      "<!--".repeat(50_000),
      "![".repeat(100_000),
      "| ".repeat(100_000),
      "> ".repeat(100_000),
    ])
      expect(plainPassage(text, { start: 0, end: 2000 }, { max: 1000, enough: 300 }).length).toBeLessThan(
        5000,
      );
  });
});
