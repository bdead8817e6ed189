import { z } from "zod";
import type { Adviser, CallScope } from "../../providers/language.ts";
import { type PlannedQuery, type PlanQuestion, planQuery, type QueryPlan } from "./plan.ts";
import { PLAN } from "./prompts.ts";

/**
 * Maximum number of queries accepted from a model, and of the characters of each query, its intent and the
 * reasoning.
 */
const MAX_QUERIES = 5;
const MAX_QUERY_LENGTH = 400;
const MAX_INTENT_LENGTH = 120;
const MAX_REASONING_LENGTH = 600;
/** Maximum characters of a question, an archive's summary and a message that a model reads. */
const QUESTION_LENGTH = 4000;
const SUMMARY_LENGTH = 2000;
const TURN_LENGTH = 800;

const ANSWER = z.object({
  reasoning: z.string(),
  queries: z.array(
    z.object({
      query: z.string(),
      context_type: z.enum(["resource", "memory", "skill"]),
      intent: z.string(),
      priority: z.number(),
    }),
  ),
});

/**
 * Plans a search with a language model within a few seconds; without a usable answer, uses the built-in plan.
 * Context types that the model omits are searched last, with the built-in query.
 */
export async function modelPlan(
  adviser: Adviser | undefined,
  question: PlanQuestion,
  asked: Omit<CallScope, "isUrgent">,
): Promise<QueryPlan> {
  const plan = planQuery(question);
  const told = await adviser?.ask(
    { ...PLAN, material: materialOf(question), answer: ANSWER },
    { ...asked, isUrgent: true },
  );
  const queries = told ? queriesIn(told.queries, question) : [];
  if (!told || queries.length === 0) return plan;
  const types = new Set(queries.map(({ contextType }) => contextType));
  const left = plan.queries.filter(({ contextType }) => !types.has(contextType) && types.add(contextType));
  return {
    queries: [...queries, ...left].map((query, at) => ({ ...query, priority: at + 1 })),
    reasoning: cut(told.reasoning, MAX_REASONING_LENGTH) || plan.reasoning,
    sessionContext: plan.sessionContext,
  };
}

function queriesIn(
  told: z.infer<typeof ANSWER>["queries"],
  { types }: PlanQuestion,
): Omit<PlannedQuery, "priority">[] {
  const queries = new Map<string, Omit<PlannedQuery, "priority">>();
  for (const { query, context_type: contextType, intent } of told.toSorted(
    (a, b) => a.priority - b.priority,
  )) {
    const text = cut(query, MAX_QUERY_LENGTH);
    const key = `${contextType} ${text.toLowerCase()}`;
    if (text === "" || !types.includes(contextType) || queries.has(key)) continue;
    queries.set(key, { query: text, contextType, intent: cut(intent, MAX_INTENT_LENGTH) });
  }
  return [...queries.values()].slice(0, MAX_QUERIES);
}

function materialOf({ query, types, conversation, now }: PlanQuestion) {
  const turns = conversation?.turns.map(({ role, text }) => `${role}: ${text.slice(0, TURN_LENGTH)}`) ?? [];
  const before = [conversation?.summary.slice(0, SUMMARY_LENGTH) ?? "", ...turns]
    .filter((part) => part !== "")
    .join("\n\n");
  return [
    {
      label: "setting",
      text: `Today is ${new Date(now).toISOString().slice(0, 10)}. Can be searched: ${types.join(", ")}.`,
    },
    ...(before === "" ? [] : [{ label: "conversation", text: before }]),
    { label: "question", text: query.slice(0, QUESTION_LENGTH) },
  ];
}

const cut = (text: string, max: number): string =>
  text.replace(/\s+/g, " ").trim().slice(0, max).toWellFormed();
