import { RamTerms } from "../../../src/storage/ram/ram-terms.ts";
import { RamVectors } from "../../../src/storage/ram/ram-vectors.ts";
import { Matrix } from "../../../src/storage/segments/matrix.ts";
import { Postings } from "../../../src/storage/segments/postings.ts";
import { termsSuite } from "./terms.ts";
import { vectorsSuite } from "./vectors.ts";

termsSuite("memory", () => new RamTerms());
termsSuite("the tail's postings", () => new Postings());

vectorsSuite("memory", (dimensions) => new RamVectors(dimensions));
vectorsSuite("the tail's matrix in plain JavaScript", (dimensions) => new Matrix({ dimensions }));
vectorsSuite("the tail's matrix in the SIMD kernel", (dimensions) => new Matrix({ dimensions, minKernelVectors: 0 }));
vectorsSuite("the tail's matrix while it moves to the kernel", (dimensions) => new Matrix({ dimensions, minKernelVectors: 20 }));
