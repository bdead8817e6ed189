import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { ShownText } from "../../../src/retrieve/chunk-texts.ts";
import type { Hydrated } from "../../../src/retrieve/hydrate.ts";
import { distinctSteps } from "../../../src/retrieve/near-duplicates.ts";

const TEXT =
  "A failed card payment is retried after one, three and seven days; after the third failure the subscription is paused and the customer gets a mail.";

const hit = (uri: string, match: string, contextType: "resource" | "memory" = "resource"): Hydrated => ({
  hit: {} as Hydrated["hit"],
  shown: new ShownText(match),
  context: {
    uri,
    contextType,
    level: 2,
    abstract: "",
    overview: "",
    score: 0.5,
    matchReason: "The passage matches",
    match,
    category: "",
    relations: [],
  },
});
const uris = (hits: readonly Hydrated[]) => hits.map(({ context }) => context.uri);

describe("near-duplicates among hits", () => {
  it("near-duplicate hits are merged into one, whose reason names the merged ones", () => {
    const hits = [
      hit("a.md", TEXT),
      hit("a.html", `${TEXT} So it is.`),
      hit("b.md", TEXT.replaceAll("card", "bank").replaceAll("e", "i")),
    ];
    const { distinct, repeating } = atOnce(distinctSteps(hits, 2));
    expect(uris(distinct)).toEqual(["a.md", "b.md"]);
    expect(uris(repeating)).toEqual(["a.html"]);
    expect(distinct[0]?.context.matchReason).toBe("The passage matches; nearly the same text is in a.html");
  });

  it("short passages with the same words are not near-duplicates", () => {
    expect(
      atOnce(distinctSteps([hit("a.md", "version 2.0"), hit("b.md", "version 2.0")], 10)).repeating,
    ).toEqual([]);
  });

  it("memories are never treated as near-duplicates", () => {
    expect(
      atOnce(distinctSteps([hit("a.md", TEXT, "memory"), hit("b.md", TEXT, "memory")], 10)).repeating,
    ).toEqual([]);
  });
});
