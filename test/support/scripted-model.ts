import { ServiceError } from "../../src/domain/errors.ts";
import type { CallContext, LanguageModel, ModelQuestion } from "../../src/providers/language.ts";

/** Returns the answer to a question; an answer that does not have the requested form counts as none. */
export type Answers = (question: ModelQuestion<unknown>, material: string) => unknown;

/** A language model with answers defined by the test. */
export class ScriptedModel implements LanguageModel {
  readonly provider = "scripted";
  readonly model = "one";
  readonly asked: ModelQuestion<unknown>[] = [];
  /** Daily token limit per account. */
  readonly budget: number | undefined;
  answers: Answers;

  constructor(answers: Answers, budget?: number) {
    this.answers = answers;
    this.budget = budget;
  }

  /** Number of calls per prompt. */
  get prompts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { prompt } of this.asked) counts[prompt] = (counts[prompt] ?? 0) + 1;
    return counts;
  }

  async generate<T>(question: ModelQuestion<T>, { count, signal }: CallContext): Promise<T> {
    signal.throwIfAborted();
    this.asked.push(question);
    count({ prompt: 10, completion: 1 });
    const material = question.material.map(({ text }) => text).join("\n");
    const checked = question.answer.safeParse(await this.answers(question, material));
    if (!checked.success)
      throw new ServiceError("VLM_FAILED", "the language model returned no usable answer");
    return checked.data;
  }

  close(): void {}
}
