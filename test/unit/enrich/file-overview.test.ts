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
  it("headings with a colon are whole in an overview that is too long for the statements of its sections", () => {
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
  it("exports of declared names are not repeated in an overview", () => {
    const code = source("", { kind: "code", outline: "const tide = (port)\nexport { tide }" });
    expect(fileLayers(code, "tide.mjs").overview).toBe("# tide.mjs\n\nconst tide = (port)");
  });
});

describe("statements of sections", () => {
  it("statements of sections follow the headings of an overview, but not if they refer to the sentence before", () => {
    const text =
      "# Buoys\n\nBuoys mark the fairway.\n\n## Paint\n\nRed paint lasts.\n\n## Chains\n\nThis means rust.\n";
    const { overview } = fileLayers(source(text, { title: "Buoys" }), "buoys.md");
    expect(overview).toContain("- Paint: Red paint lasts.\n- Chains");
    expect(overview).not.toContain("This means rust");
  });
});

describe("sentences of an overview", () => {
  const paragraphOf = (text: string) =>
    fileLayers(
      source(`# Buoys\n\nBuoys mark the fairway.\n\n${text}`, { title: "Buoys" }),
      "buoys.md",
    ).overview.split("\n\n")[1];

  it.each([
    ["has no verb", "## Chains\n\nThe weight of the chain in kilograms."],
    ["has a verb only in a relative clause", "## Chains\n\nA length of chain that can be replaced."],
    ["is about its heading", "## Chains\n\nReturns the weight of the chain."],
    ["is a label with a value", "## Chains\n\nDefault weight: the chain weighs nine kilograms."],
    ["opens a bracket", "## Chains\n\nThe chain is heavy (about nine kilograms. It rusts slowly."],
    ["refers to a choice before", "## Chains\n\nAlternatively, the chain is made of nylon."],
    ["has no end", "## Chains\n\nThe weight of chains is given in kilograms"],
  ])("a paragraph of an overview leaves out what %s", (_, text) => {
    expect(paragraphOf(text)).toBe("Buoys mark the fairway.");
  });

  it.each([
    ["The harbour office replaces each chain after nine years."],
    ["Check the chain before each winter."],
    ["Die Kette wiegt neun Kilogramm."],
  ])("a paragraph of an overview includes sentences with a verb: %s", (text) => {
    expect(paragraphOf(`## Chains\n\n${text}`)).toBe(`Buoys mark the fairway. ${text}`);
  });
});
