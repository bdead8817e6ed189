import { present } from "../../base/expect.ts";
import { modelFiles } from "./model-files.ts";
import { type Vocabulary, WordPiece } from "./wordpiece.ts";

/** The window of the model in word pieces, including the two special ones at its ends. */
const MAX_PIECES = 256;
const MODEL = "minilm-int8.onnx";
const [FIRST, LAST] = ["[CLS]", "[SEP]"] as const;

export const MINILM_DIMENSIONS = 384;

/**
 * The vector of one text, of unit length (pooling and normalisation are in the graph); zeros for a text
 * without a word.
 */
export type EmbedText = (text: string) => Promise<Float32Array>;

/**
 * Loads the model of `folder` into this process after checking its files against the manifest. It uses
 * `threads`, and none of them spins between texts.
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
