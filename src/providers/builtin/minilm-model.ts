import { present } from "../../base/expect.ts";
import { modelFiles } from "./model-files.ts";
import { type Vocabulary, WordPiece } from "./wordpiece.ts";

/** The model's window in word pieces, including the two special pieces at the ends. */
const MAX_PIECES = 256;
const MODEL = "minilm-int8.onnx";
const [FIRST, LAST] = ["[CLS]", "[SEP]"] as const;

export const MINILM_DIMENSIONS = 384;

/**
 * The unit vector of a text (the graph includes pooling and normalisation); zeros for a text without words.
 */
export type EmbedText = (text: string) => Promise<Float32Array>;

/**
 * Loads the model in `folder` into this process, after checking its files against the manifest. Uses
 * `threads` threads, without spinning between texts.
 */
export async function loadMiniLm(folder: string, threads: number): Promise<EmbedText> {
  const file = modelFiles(folder);
  const { model }: { model: Vocabulary } = JSON.parse(file("tokenizer.json").toString());
  const pieces = new WordPiece(model);
  const idOf = (piece: string) => BigInt(present(model.vocab[piece], `${piece} in the vocabulary`));
  const [first, last] = [idOf(FIRST), idOf(LAST)];
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const session = await InferenceSession.create(file(MODEL), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  return async (text) => {
    const ids = [first];
    pieces.each(text, (id) => ids.push(BigInt(id)) < MAX_PIECES - 1);
    if (ids.length === 1) return new Float32Array(MINILM_DIMENSIONS);
    ids.push(last);
    const shape = [1, ids.length];
    const output = await session.run({
      input_ids: new Tensor("int64", BigInt64Array.from(ids), shape),
      attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    });
    return Float32Array.from(present(output.sentence_embedding, "sentence_embedding").data as Float32Array);
  };
}
