import { append } from "../base/append.ts";
import { EventLoopYielder } from "../base/event-loop.ts";
import type { Conversation, ExtractionContext, Extractor, Fact } from "./facts/fact.ts";
import { caseSteps } from "./rules/cases.ts";
import { statedFactSteps } from "./rules/statements.ts";
import { workflowSteps } from "./rules/workflows.ts";

/** Utterances processed between two checks of the signal. */
const PAGE = 16;
/**
 * Maximum number of facts of each kind per conversation: people state far fewer about themselves, and each
 * costs worker time that accounts share.
 */
const MAX_FACTS = 2000;

/**
 * Finds facts with fixed patterns, without a language model; prefers few and true facts (docs/memory.md).
 * English, German, French and Chinese.
 */
export const ruleExtractor = {
  isRepeatable: true,
  async extract(
    conversation: Conversation,
    signal: AbortSignal,
    { workspace, known }: Pick<ExtractionContext, "workspace"> & Partial<Pick<ExtractionContext, "known">>,
  ): Promise<Fact[]> {
    const { utterances } = conversation;
    const yielder = new EventLoopYielder(workspace);
    const stated: Fact[] = [];
    const current = [...((await known?.()) ?? [])];
    for (let at = 0; at < utterances.length && stated.length < MAX_FACTS; at += PAGE) {
      const page = { utterances: utterances.slice(at, at + PAGE) };
      append(stated, await yielder.through(statedFactSteps(page, current)));
      signal.throwIfAborted();
    }
    const cases = await yielder.through(caseSteps(conversation));
    const workflows = await yielder.through(workflowSteps(conversation));
    return [stated, cases, workflows].flatMap((facts) => facts.slice(0, MAX_FACTS));
  },
} satisfies Extractor;
