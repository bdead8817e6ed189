import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RerankServer } from "../support/rerank-server.ts";
import { answerWith } from "../support/scripted-server.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

interface Hit {
  readonly uri: string;
  readonly score: number;
  readonly match_reason: string;
}
interface Found {
  readonly resources: Hit[];
  readonly total: number;
  readonly explain?: { readonly reranked: number };
}

describe("a find with a reranking model", () => {
  const model = new RerankServer();
  let served: Served;
  const find = async (more: object = {}) => {
    const { result } = await served.rest(ROOT_KEY, "POST search/find", {
      query: "which owl hunts by day?",
      ...more,
    });
    return result as Found;
  };
  /** Prefers the barn owl. */
  const likesBarns = (text: unknown) => (String(text).includes("barn") ? 0.95 : 0.2);

  beforeAll(async () => {
    await model.start();
    served = await serve({
      CTXDB_RERANK_PROVIDER: "jina",
      CTXDB_RERANK_MODEL: "ranks",
      CTXDB_RERANK_BASE_URL: model.url,
    });
    for (const [name, text] of [
      ["snowy", "The snowy owl hunts by day on the tundra."],
      ["barn", "The barn owl sleeps in a barn."],
      ["eagle", "The eagle owl hunts hares at dusk."],
    ])
      await served.rest(ROOT_KEY, "POST content/write", {
        uri: `ctx://resources/${name}.md`,
        content: text,
        mode: "create",
      });
  });
  afterEach(() => {
    model.bodies.length = 0;
  });
  afterAll(async () => {
    await served.close();
    await model.stop();
  });

  it("find with a rerank model returns hits in the model's order, with an explanation", async () => {
    model.script = (answer, { documents }) =>
      answerWith(answer, {
        results: (documents as string[]).map((text, index) => ({ index, relevance_score: likesBarns(text) })),
      });
    const { resources, total, explain } = await find({ limit: 2, explain: true });
    expect(total).toBe(2);
    expect(resources[0]?.uri).toBe("ctx://resources/barn.md");
    expect(resources[0]?.match_reason).toMatch(/a model ordered it anew$/);
    expect(resources[0]?.score).toBeCloseTo(0.8 * 0.95 + 0.2 * 0.5, 2);
    expect(explain?.reranked).toBe(3);
    // more than requested, so that a good result from further down can move up
    expect(model.bodies[0]?.documents).toHaveLength(3);
  });

  it("a score threshold applies to the scores of the rerank model", async () => {
    const { resources } = await find({ score_threshold: 0.5 });
    expect(resources.map(({ uri }) => uri)).toEqual(["ctx://resources/barn.md"]);
  });

  it("find keeps its own order if the rerank model fails", async () => {
    model.script = (answer) => answerWith(answer, { error: "oh" }, 500);
    const { resources, explain } = await find({ limit: 1, explain: true });
    expect(resources[0]?.uri).toBe("ctx://resources/snowy.md");
    expect(resources).toHaveLength(1);
    expect(explain?.reranked).toBe(0);
  });
});
