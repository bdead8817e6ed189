import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chunk } from "../../../src/domain/chunk.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { quantise } from "../../../src/domain/quantise.ts";
import { weightedLength, weightedTerms } from "../../../src/domain/text/analyse.ts";
import { MutableSegment } from "../../../src/index/segments/mutable-segment.ts";
import { findHits } from "../../../src/retrieve/find-hits.ts";
import { SearchScratch, type SearchView } from "../../../src/retrieve/view.ts";
import { asked } from "./world.ts";

const NODES = 8;
const WORDS = ["owl", "elk", "emu"];

const node = fc.integer({ min: 1, max: NODES - 1 });
const change = fc.oneof(
  fc.record({
    add: node,
    text: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
  }),
  fc.record({ remove: fc.nat(20) }),
  fc.record({ replace: node }),
  fc.record({ move: node, to: fc.constantFrom(0, 1) }),
  fc.record({ hide: node }),
);

const axis = (at: number) => Float32Array.from({ length: 128 }, (_, i) => Number(i === at));

/**
 * A tree that changes like a workspace's tree: arrays in place, a new mask, and the sequence number with
 * every change.
 */
class Changing {
  readonly tail = new MutableSegment({ maxRemovedRows: 2 });
  readonly chunks = new Map<number, Chunk>();
  readonly parent = Int32Array.from({ length: NODES }, (_, at) => Math.min(at, 1) - 1);
  readonly generation = new Uint32Array(NODES).fill(1);
  #scope = new Uint8Array(NODES).fill(1);
  #sequence = 1;

  apply(step: typeof change extends fc.Arbitrary<infer T> ? T : never): void {
    if ("add" in step) this.#add(step.add, step.text);
    else if ("remove" in step) this.#remove([...this.chunks.keys()][step.remove]);
    else if ("replace" in step) this.#grown(() => this.generation[step.replace]!++);
    else if ("move" in step) this.#grown(() => (this.parent[step.move] = step.move === 1 ? 0 : step.to));
    else this.#grown(() => (this.#scope = this.#scope.with(step.hide, 1 - this.#scope[step.hide]!)));
  }

  /** Searches over `tail`, with everything that may be cached or without it. */
  view(tail: MutableSegment, scope = this.#scope): SearchView {
    const { parent, generation } = this;
    const isDirectory = Uint8Array.from({ length: NODES }, (_, at) => Number(at <= 1));
    const nodes = {
      size: NODES,
      parent,
      generation,
      isDirectory,
      isCode: new Uint8Array(NODES),
      sequence: this.#sequence,
    };
    return {
      nodes: { ...nodes, updatedAt: new Float64Array(NODES), activeCount: new Uint32Array(NODES) },
      scope,
      filterMasks: [scope, scope, scope],
      targets: [],
      segments: [tail],
    };
  }

  anew(): SearchView {
    const tail = new MutableSegment();
    for (const [doc, chunk] of this.chunks) tail.add(doc, chunk);
    const view = this.view(tail, this.#scope.slice());
    return { ...view, nodes: { ...view.nodes, parent: this.parent.slice() } };
  }

  kept(): SearchView {
    return this.view(this.tail);
  }

  #add(at: number, text: string): void {
    const terms = weightedTerms(text);
    const doc = this.#sequence++;
    const level = at === 1 ? 0 : 2;
    const chunk = {
      node: nodeId(at),
      generation: this.generation[at]!,
      level,
      start: 0,
      end: 1,
      length: weightedLength(terms),
      terms,
    } as const;
    const made = { ...chunk, instant: quantise(axis(doc % 3)) };
    this.chunks.set(doc, made);
    this.tail.add(doc, made);
  }

  /** This does not change anything in the tree. */
  #remove(doc: number | undefined): void {
    if (doc === undefined) return;
    this.chunks.delete(doc);
    this.tail.remove(doc);
  }

  #grown(apply: () => void): void {
    apply();
    this.#sequence++;
  }
}

describe("state cached between searches", () => {
  it("cached search state equals a new computation after any change", () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(...WORDS),
        (steps, word) => {
          const changing = new Changing();
          const scratch = new SearchScratch();
          for (const step of steps) {
            changing.apply(step);
            const query = asked(`${word} zebra`, 1, axis(0));
            const options = { limit: 5, now: 0 };
            expect(findHits(changing.kept(), query, { ...options, scratch })).toEqual(
              findHits(changing.anew(), query, options),
            );
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("search scratch of one index does not affect a search in another", () => {
    const options = { limit: 5, now: 0, scratch: new SearchScratch() };
    const changing = new Changing();
    for (const text of ["owl owl", "elk", "owl elk emu"]) changing.apply({ add: 2, text });
    const alone = findHits(changing.kept(), asked("owl"), options);
    const other = new Changing();
    for (let i = 0; i < 50; i++) other.apply({ add: 3, text: "owl owl owl" });
    findHits(other.kept(), asked("owl", 1, axis(1)), options);
    expect(findHits(changing.kept(), asked("owl"), options)).toEqual(alone);
  });
});
