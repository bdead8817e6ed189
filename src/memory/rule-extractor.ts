import { EventLoopYielder } from "../base/event-loop.ts";
import type { Conversation, Extractor, Fact } from "./fact.ts";
import { casesIn } from "./rules/cases.ts";
import { statedFacts } from "./rules/statements.ts";
import { workflowsIn } from "./rules/workflows.ts";

/** Utterances read between two looks at the clock. */
const PAGE = 16;

/**
 * Facts by fixed forms of speech, without a language model: few and true rather than many (docs/memory.md).
 * English, German, French and Chinese.
 */
export const ruleExtractor = {
  isRepeatable: true,
  async extract(conversation: Conversation, signal: AbortSignal): Promise<Fact[]> {
    const yielder = new EventLoopYielder();
    const facts: Fact[] = [];
    for (let at = 0; at < conversation.utterances.length; at += PAGE) {
      facts.push(
        ...statedFacts({ ...conversation, utterances: conversation.utterances.slice(at, at + PAGE) }),
      );
      await yielder.yieldIfDue();
      signal.throwIfAborted();
    }
    return [...facts, ...casesIn(conversation), ...workflowsIn(conversation)];
  },
} satisfies Extractor;
