import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/domain/message.ts";
import { archiveLayerSteps, archiveLayers } from "../../../src/enrich/archive-layers.ts";
import { fileLayerSteps } from "../../../src/enrich/file-layers.ts";

const sentence = (i: number) => `Keeper ${i} of the lighthouse counts owl ${i * 7} near river ${i % 13}.`;
const text = (sentences: number) => Array.from({ length: sentences }, (_, i) => sentence(i)).join(" ");

const said = (texts: readonly string[]): Message => ({
  id: "m",
  role: "user",
  created_at: "2026-01-01T00:00:00.000Z",
  parts: texts.map((words) => ({ type: "text", text: words })),
});

describe("layers of long texts", () => {
  it("the layers of a file of many sentences are made in many steps", () => {
    const source = { kind: "markdown", title: "Owls", text: text(400), outline: "" } as const;
    expect([...fileLayerSteps(source, "owls.md")].length).toBeGreaterThan(20);
  });

  it("the layers of a conversation of many parts are made in many steps", () => {
    const parts = Array.from({ length: 20_000 }, (_, i) => sentence(i));
    expect([...archiveLayerSteps([said(parts)], "archive_001", 1)].length).toBeGreaterThan(60);
  });

  it.each([10, 400, 3000])(
    "a conversation in %i parts has the same layers as the same conversation in one part",
    (n) => {
      const parts = Array.from({ length: n }, (_, i) => (i % 5 === 0 ? " " : sentence(i)));
      const whole = parts.filter((words) => words !== " ").join("\n\n");
      expect(archiveLayers([said(parts)], "archive_001")).toEqual(
        archiveLayers([said([whole])], "archive_001"),
      );
    },
  );
});
