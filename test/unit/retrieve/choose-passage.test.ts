import { describe, expect, it } from "vitest";
import { analyseQuery } from "../../../src/domain/text/analyse.ts";
import { choosePassage, type ReadChunk } from "../../../src/retrieve/choose-passage.ts";

const chunk = (text: string, fused: number, node = 1): ReadChunk => ({
  node,
  segment: 0,
  doc: node,
  fused,
  start: 0,
  end: text.length,
  text,
  isMarkdown: true,
});
const chosen = (query: string, ...chunks: ReadChunk[]) =>
  choosePassage(chunks, query, analyseQuery(query))?.match;

describe("the passage that is shown of a document", () => {
  it("is the section that answers rather than a title with the same words", () => {
    const title = chunk("# FAISS lives in child processes\n\nStatus: accepted.", 0.8);
    const reason = chunk(
      "## Context\n\nFAISS runs in a child process because a crash of native code must not end the server.",
      0.75,
      2,
    );
    expect(chosen("why is FAISS in a child process?", title, reason)).toContain("because a crash");
  });

  it("is the one that was found best where no other says more", () => {
    const best = chunk(
      "Refunds above 500 euros need a second approval by the finance team, whoever asks for them.",
      0.8,
    );
    const other = chunk(
      "Refunds are paid within three days to the card that was charged, whatever was bought with it.",
      0.5,
      2,
    );
    expect(chosen("who approves refunds above 500 euros?", best, other)).toContain("second approval");
  });

  it("is never a heading alone where a part of the document has text", () => {
    const heading = chunk("## The picture", 0.8);
    const text = chunk(
      "The picture shows how layers of the code depend on each other, from the transport down to the storage.",
      0.6,
      2,
    );
    expect(chosen("the picture", heading, text)).toContain("shows how layers");
  });

  it("is nothing where no text can be read", () => {
    expect(choosePassage([{ ...chunk("x", 1), text: undefined }], "x", ["x"])).toBeUndefined();
  });
});
