import { describe, expect, it } from "vitest";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import type { LayerSource } from "../../../src/enrich/layers.ts";

const source = (text: string, more: Partial<LayerSource> = {}): LayerSource => ({
  kind: "markdown",
  title: "",
  text,
  outline: "",
  ...more,
});

describe("headings with a colon", () => {
  it("are whole in an overview that is too long for the statements of its sections", () => {
    const sections = Array.from(
      { length: 40 },
      (_, i) => `## Class: Buoy${i}\n\nA buoy of kind ${i} is anchored in the harbour with a chain.\n`,
    );
    const { overview } = fileLayers(
      source(`# Buoys\n\n${sections.join("\n")}`, { title: "Buoys" }),
      "buoys.md",
    );
    expect(overview).toContain("- Class: Buoy7\n");
  });
});

describe("exports of declared names", () => {
  it("are not repeated in an overview", () => {
    const code = source("", { kind: "code", outline: "const tide = (port)\nexport { tide }" });
    expect(fileLayers(code, "tide.mjs").overview).toBe("# tide.mjs\n\nconst tide = (port)");
  });
});
