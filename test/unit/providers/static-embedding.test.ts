import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { staticEmbedder } from "../../../src/providers/builtin/static-embedding.ts";
import { reference } from "../retrieve/reference.ts";

const MODELS = fileURLToPath(new URL("../../../models", import.meta.url));
const embedder = staticEmbedder(MODELS);
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe("the static embedder", () => {
  it("the static embedder returns the reference's cosines and shares of known word pieces", async () => {
    const documents = await embedder.embed(reference.documents.map(({ title, text }) => `${title}. ${text}`));
    for (const { text, known, cosine } of reference.queries) {
      const query = embedder.embedNow(text);
      for (const [at, vector] of documents.entries()) expect(dot(query, vector)).toBeCloseTo(cosine[at]!, 5);
      expect(embedder.knownShare(text)).toBeCloseTo(known, 6);
    }
  });

  it("the static embedder returns unit vectors, and zeros for a text without words", () => {
    expect(dot(embedder.embedNow("lighthouse"), embedder.embedNow("lighthouse"))).toBeCloseTo(1, 5);
    expect(embedder.embedNow(" \n")).toEqual(new Float32Array(128));
    expect(embedder.knownShare("")).toBe(0);
  });

  it("the static embedder counts word pieces as its model does", () => {
    expect(embedder.countPieces("unaffable, isn't it?")).toBe(9);
    expect(embedder.countPieces("灯塔")).toBe(2);
    expect(embedder.countPieces("[MASK]")).toBe(3);
    expect(embedder.countPieces("x".repeat(5000))).toBe(1);
  });

  it("the static embedder stops with the reason of an aborted signal", async () => {
    await expect(embedder.embed(["a"], AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  });

  it("a damaged embedding table is reported without its path", () => {
    const folder = mkdtempSync(join(tmpdir(), "models-"));
    try {
      for (const name of ["MANIFEST.json", "static.i8", "static.scale.f32", "tokenizer.json"])
        cpSync(join(MODELS, name), join(folder, name));
      const bytes = Buffer.from(readFileSync(join(folder, "static.i8")));
      bytes[1000]! ^= 1;
      writeFileSync(join(folder, "static.i8"), bytes);
      expect(() => staticEmbedder(folder).embedNow("x")).toThrow(
        expect.objectContaining({ code: "EMBEDDING_FAILED", message: expect.not.stringContaining(folder) }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
