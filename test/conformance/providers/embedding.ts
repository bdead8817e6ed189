import { describe, expect, it } from "vitest";
import { type Embedder, MAX_EMBED_TEXTS } from "../../../src/providers/embedding.ts";

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const TEXTS = [
  "The owl hunts mice at night.",
  "Invoices are due within thirty days.",
  "An owl catches a mouse in the dark.",
];

/** Requirements for every Embedder. `open` returns an embedder that the suite does not close. */
export function embeddingSuite(name: string, open: () => Embedder): void {
  describe(`${name} as an embedder`, () => {
    it("an embedder returns one unit vector for each text, in the order of the texts", async () => {
      const embedder = open();
      const together = await embedder.embed(TEXTS);
      expect(together).toHaveLength(TEXTS.length);
      for (const [i, text] of TEXTS.entries()) {
        expect(together[i]).toHaveLength(embedder.space.dimensions);
        expect(dot(together[i]!, together[i]!)).toBeCloseTo(1, 4);
        const [alone] = await embedder.embed([text]);
        expect(dot(alone!, together[i]!)).toBeGreaterThan(0.98);
      }
    });

    it("an embedder gives texts of similar meaning a higher cosine than unrelated texts", async () => {
      const [owl, invoice, mouse] = await open().embed(TEXTS);
      expect(dot(owl!, mouse!)).toBeGreaterThan(dot(owl!, invoice!) + 0.2);
    });

    it("an embedder accepts empty texts, lone surrogates and texts far beyond its window", async () => {
      const embedder = open();
      const long = "a long way to the lighthouse ".repeat(2000);
      const [nothing, signs, beyond, more] = await embedder.embed([
        " \n",
        "\ud800 \u0000 🦉 灯塔",
        long,
        `${long} and then some owls`,
      ]);
      expect(nothing).toEqual(new Float32Array(embedder.space.dimensions));
      expect(signs!.every(Number.isFinite)).toBe(true);
      expect(dot(beyond!, more!)).toBeGreaterThan(0.999);
      expect(await embedder.embed([])).toEqual([]);
    });

    it("an embedder refuses more texts than its limit in one call", async () => {
      const texts = Array.from({ length: MAX_EMBED_TEXTS + 1 }, () => "x");
      await expect(open().embed(texts)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it("an embedding call with an aborted signal fails with the signal's reason", async () => {
      await expect(open().embed(["a"], AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    });

    it("an embedder reports all words of an English sentence as known, and none of an empty text", () => {
      const embedder = open();
      expect(embedder.knownShare("where do owls sleep?")).toBe(1);
      expect(embedder.knownShare("")).toBe(0);
    });
  });
}
