import { expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { estimateTokens, tokenSteps } from "../../../src/domain/text/tokens.ts";

it("the tokens of a long text are counted in steps, with the same result", () => {
  for (const unit of ["an owl and 3 rivers ", "灯塔的看守人", "𠀀a "]) {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(atOnce(tokenSteps(text))).toBe(estimateTokens(text));
    expect([...tokenSteps(text)].length).toBeGreaterThanOrEqual(3);
  }
});
