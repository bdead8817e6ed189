import { RamTerms } from "../../../src/index/ram/ram-terms.ts";
import { RamVectors } from "../../../src/index/ram/ram-vectors.ts";
import { Postings } from "../../../src/index/segments/postings.ts";
import { Matrix } from "../../../src/index/vectors/matrix.ts";
import { termsSuite } from "./terms.ts";
import { vectorsSuite } from "./vectors.ts";

termsSuite("memory", () => new RamTerms());
termsSuite("the tail's postings", () => new Postings());

vectorsSuite("memory", (dimensions) => new RamVectors(dimensions));
vectorsSuite("the tail's matrix in plain JavaScript", (dimensions) => new Matrix({ dimensions }));
vectorsSuite(
  "the tail's matrix in the SIMD kernel",
  (dimensions) => new Matrix({ dimensions, minKernelVectors: 0 }),
);
vectorsSuite(
  "the tail's matrix while it moves to the kernel",
  (dimensions) => new Matrix({ dimensions, minKernelVectors: 20 }),
);
