import { describe, expect, it } from "vitest";
import {
  blended,
  fused,
  halves,
  hotness,
  idf,
  lengthNorm,
  propagated,
  queryScale,
  saturated,
  shownScore,
  termScore,
} from "../../../src/domain/score.ts";
import { reference } from "../retrieve/reference.ts";

const DAY = 86_400_000;
const WORDS = { isOfSentences: false, isOfIdentifiers: false };
const SENTENCES = { isOfSentences: true, isOfIdentifiers: false };

const found = (best: number, agreed = 1) => ({ best, ceiling: 20, agreed });

describe("the formula", () => {
  const lengths = reference.documents.map(({ terms }) => Object.values(terms).reduce((a, b) => a + b, 0));
  const norm = lengthNorm(lengths.reduce((a, b) => a + b, 0) / lengths.length);
  const saturation = (term: string) =>
    saturated(
      idf(lengths.length, reference.documents.filter(({ terms }) => Object.hasOwn(terms, term)).length),
    );
  const bm25 = (terms: readonly string[], at: number) => {
    const weights = reference.documents[at]!.terms;
    const held = terms.filter((term) => Object.hasOwn(weights, term));
    return held.reduce(
      (sum, term) => sum + termScore(saturation(term), weights[term]!, norm.base + norm.slope * lengths[at]!),
      0,
    );
  };

  it.each(reference.queries)("BM25, ceiling, fused and shown scores equal the reference: $text", (query) => {
    const { terms, known } = query;
    expect(terms.reduce((sum, term) => sum + saturation(term), 0)).toBeCloseTo(query.ceiling, 5);
    const scale = queryScale(
      known,
      { best: Math.max(...query.bm25), ceiling: query.ceiling, agreed: query.agreed },
      WORDS,
    );
    for (let at = 0; at < lengths.length; at++) {
      expect(bm25(terms, at)).toBeCloseTo(query.bm25[at]!, 5);
      const f = fused(scale, query.bm25[at]!, query.cosine[at]!, false);
      expect(f).toBeCloseTo(query.fused[at]!, 5);
      expect(shownScore(f, scale)).toBeCloseTo(query.shown[at]!, 4);
    }
  });

  it("shown scores have the order of fused scores, for any model", () => {
    for (const known of [0, 0.1, 0.25, 0.5, 0.75, 1]) {
      const scale = queryScale(known, found(20), WORDS);
      const shown = Array.from({ length: 21 }, (_, i) => shownScore(i / 20, scale));
      expect(shown).toEqual([...shown].sort((a, b) => a - b));
      expect(shown[0]).toBeLessThan(0.01);
      expect(shown[20]).toBeGreaterThan(0.99);
    }
  });

  it("the shown score is lower if the best passage contains only one of several query words", () => {
    const shown = (known: number, agreed: number) =>
      shownScore(0.5, queryScale(known, found(10, agreed), WORDS));
    for (const known of [0, 0.25, 1]) {
      expect(shown(known, 0)).toBeLessThan(shown(known, 0.5));
      expect(shown(known, 0.5)).toBeLessThan(shown(known, 1));
    }
    expect(shown(0, 1) - shown(0, 0)).toBeGreaterThan(shown(1, 1) - shown(1, 0));
  });

  it("terms alone decide the score of a chunk without a vector, which differs from a cosine of 0", () => {
    const scale = queryScale(1, found(10), WORDS);
    expect(fused(scale, 10, Number.NaN, false)).toBe(1);
    expect(fused(scale, 10, 0, false)).toBeCloseTo(0.4, 12);
    expect(fused(queryScale(1, found(0), WORDS), 0, -0.5, false)).toBe(0);
  });

  it("meaning has more weight the fewer query words are found, for sentence models", () => {
    const share = (cover: number, reading = SENTENCES, known = 1) =>
      queryScale(known, found(cover * 20), reading).dense;
    for (const cover of [1, 0.5, 0.3]) expect(share(cover)).toBeCloseTo(0.6, 12);
    expect(share(0.2)).toBeCloseTo(0.7, 12);
    for (const cover of [0.1, 0.05, 0]) expect(share(cover)).toBeCloseTo(0.8, 12);
    expect(share(0.2, SENTENCES, 0.5)).toBeCloseTo(0.35, 12);
    for (const cover of [1, 0.2, 0]) expect(share(cover, WORDS)).toBeCloseTo(0.6, 12);
  });

  it("meaning has the most weight for source code, unless the query names an identifier", () => {
    expect(queryScale(1, found(10), SENTENCES)).toMatchObject({ dense: 0.6, denseOfCode: 0.8 });
    expect(queryScale(1, found(10), { ...SENTENCES, isOfIdentifiers: true })).toMatchObject({
      dense: 0.6,
      denseOfCode: 0.6,
    });
    expect(queryScale(1, found(10), WORDS)).toMatchObject({ dense: 0.6, denseOfCode: 0.6 });
    const scale = queryScale(1, found(10), SENTENCES);
    expect(fused(scale, 10, 0.5, true)).toBeCloseTo(0.2 + 0.8 * 0.5, 12);
    expect(halves(scale, 10, 0.5, true)).toMatchObject({
      lexical: expect.closeTo(0.2, 12),
      dense: expect.closeTo(0.4, 12),
    });
  });
});

describe("propagation and hotness (ruling Q14)", () => {
  it("a directory raises a hit by half of its lead and never lowers it", () => {
    expect(propagated(0.2, 0.8)).toBeCloseTo(0.5, 12);
    expect(propagated(0.8, 0.2)).toBe(0.8);
  });

  it("hotness leaves the score .50 of a fresh file unchanged and lowers it to .40 after a month", () => {
    expect(blended(0.5, hotness(0, 0, 0))).toBeCloseTo(0.5, 12);
    expect(blended(0.5, hotness(0, 0, 30 * DAY))).toBeCloseTo(0.405, 3);
  });

  it("hotness halves in a week, grows with use, stays between 0 and 1, and treats a future time as now", () => {
    expect(hotness(0, 0, 7 * DAY)).toBeCloseTo(0.25, 12);
    expect(hotness(8, 0, 0)).toBeCloseTo(1 / (1 + Math.exp(-Math.log(9))), 12);
    expect(hotness(2 ** 32 - 1, 5 * DAY, 0)).toBeLessThanOrEqual(1);
    expect(hotness(3, 5 * DAY, 0)).toBe(hotness(3, 0, 0));
  });
});
