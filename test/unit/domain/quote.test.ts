import { describe, expect, it } from "vitest";
import { phraseOf } from "../../../src/domain/text/phrase.ts";

describe("a quote", () => {
  it.each([
    ["with tf.Session() as sess:", "…\n    with tf.Session()   AS\n\tsess :\n        pass"],
    ["the owl’s nest, at last", "Here is The Owl's nest at last. More."],
    ["Ｆｕｌｌ width words too", "“full width words too”"],
    ["灯塔的看守人", "很久以前，灯塔的 看守人住在这里。"],
    ["to be or not to be", "He said: to be, or not to be?"],
  ])("a phrase match ignores case, punctuation and spaces: %s", (query, text) => {
    expect(phraseOf(query)!(text)).toBe(true);
  });

  it.each([
    ["an owl in trees", "an owls in trees"],
    ["an owl in trees", "an owl sat in trees"],
    ["an owl in trees", "trees in an owl"],
    ["an owl in trees", "an owl in treestops"],
  ])("a phrase with other, separated or partial words does not match: %s / %s", (query, text) => {
    expect(phraseOf(query)!(text)).toBe(false);
  });

  it.each(["", "owl", "green tea", "machine learning", "tea tea tea tea", "灯塔的看", "getUserName"])(
    "a query of few words is not searched as a phrase: %s",
    (query) => {
      expect(phraseOf(query)).toBeUndefined();
    },
  );
});
