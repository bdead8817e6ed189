import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import type { Conversation, ExtractionContext, Extractor, Fact } from "./fact.ts";
import { caseSteps } from "./rules/cases.ts";
import { statedFactSteps } from "./rules/statements.ts";
import { workflowSteps } from "./rules/workflows.ts";

/** Utterances read between two checks of the signal. */
const PAGE = 16;
/**
 * Limit of facts of each kind in one conversation: people say far fewer about themselves, and each one costs
 * the shared worker time.
 */
const MAX_FACTS = 2000;

/**
 * Facts by fixed patterns, without a language model: few and true rather than many (docs/memory.md). English,
 * German, French and Chinese.
 */
export const ruleExtractor = {
  isRepeatable: true,
  async extract(
    conversation: Conversation,
    signal: AbortSignal,
    { workspace }: Pick<ExtractionContext, "workspace">,
  ): Promise<Fact[]> {
    const { utterances } = conversation;
    const yielder = new EventLoopYielder(workspace);
    const stated: Fact[] = [];
    for (let at = 0; at < utterances.length && stated.length < MAX_FACTS; at += PAGE) {
      const page = { utterances: utterances.slice(at, at + PAGE) };
      append(stated, await yielder.through(statedFactSteps(page)));
      signal.throwIfAborted();
    }
    const cases = await yielder.through(caseSteps(conversation));
    const workflows = await yielder.through(workflowSteps(conversation));
    return [stated, cases, workflows].flatMap((facts) => facts.slice(0, MAX_FACTS));
  },
} satisfies Extractor;
