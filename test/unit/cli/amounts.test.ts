import { describe, expect, it } from "vitest";
import { bytesText, counted, durationText, timeText } from "../../../src/cli/terminal/amounts.ts";
import { paintOf, wantsColour } from "../../../src/cli/terminal/paint.ts";
import { treeText } from "../../../src/cli/terminal/tree-text.ts";

describe("amounts", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1536, "1.5 KB"],
    [23 * 1024 * 1024, "23 MB"],
    [5 * 1024 ** 4, "5.0 TB"],
  ])("%d bytes are printed as %s", (bytes, text) => expect(bytesText(bytes)).toBe(text));

  it.each([
    [0.4, "0 s"],
    [61, "1 min 1 s"],
    [3600, "1 h"],
    [90_061, "1 d 1 h"],
  ])("%d seconds are printed as %s", (seconds, text) => expect(durationText(seconds)).toBe(text));

  it("the command line prints counts with their nouns and times without seconds", () => {
    expect([counted(1, "file"), counted(2, "memory", "memories")]).toEqual(["1 file", "2 memories"]);
    expect([
      timeText("2026-11-22T08:15:30.123Z"),
      timeText("1970-01-01T00:00:00Z"),
      timeText("soon"),
    ]).toEqual(["2026-11-22 08:15", "-", "soon"]);
  });
});

describe("a tree", () => {
  it("a tree of files is drawn from a flat list", () => {
    const branches = [
      { path: "a", isFolder: true },
      { path: "a/b", isFolder: true },
      { path: "a/b/c.md", isFolder: false },
      { path: "a/d.md", isFolder: false },
      { path: "e.md", isFolder: false },
    ];
    expect(treeText("ctx://", branches, paintOf(false))).toBe(
      "ctx://\n├── a/\n│   ├── b/\n│   │   └── c.md\n│   └── d.md\n└── e.md\n",
    );
  });
});

describe("colours", () => {
  it("colours are used only on terminals, and not if NO_COLOR is set", () => {
    expect(wantsColour(true, {})).toBe(true);
    expect(wantsColour(false, {})).toBe(false);
    expect(wantsColour(true, { NO_COLOR: "1" })).toBe(false);
    expect(wantsColour(true, { NO_COLOR: "" })).toBe(true);
    expect(wantsColour(true, { TERM: "dumb" })).toBe(false);
  });
});
