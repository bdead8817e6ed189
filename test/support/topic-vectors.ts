const DIMENSIONS = 384;

const WORDS = 3000;
const WORDS_PER_TOPIC = 12;
const WORDS_PER_TEXT = 12;

/** Returns pseudo-random numbers from -1 to 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/**
 * Vectors of artificial texts with one topic each; half of the words come from other topics. A text's vector
 * is the sum of its words' vectors, and all vectors are shifted in one direction, as in many real models.
 */
export function topicVectors(count: number, seed: number, dimensions = DIMENSIONS): Float32Array[] {
  const [next, ofWord] = [numbers(seed), numbers(1)];
  const words = Array.from({ length: WORDS }, () => Float32Array.from({ length: dimensions }, ofWord));
  const below = (limit: number) => Math.floor(Math.abs(next()) * limit);
  return Array.from({ length: count }, () => {
    const topic = below(WORDS / WORDS_PER_TOPIC) * WORDS_PER_TOPIC;
    const sum = new Float32Array(dimensions).fill(0.7);
    for (let n = 0; n < WORDS_PER_TEXT; n++) {
      const word = words[n % 2 === 0 ? topic + below(WORDS_PER_TOPIC) : below(WORDS)]!;
      for (let i = 0; i < dimensions; i++) sum[i]! += word[i]!;
    }
    return sum;
  });
}
