import { lastOf } from "../../base/expect.ts";
import type { Conversation, Fact } from "../facts/fact.ts";
import type { Utterance } from "../utterance.ts";

/** Minimum and maximum number of successive calls in a workflow, and minimum number of its occurrences. */
const MIN_STEPS = 2;
const MAX_STEPS = 5;
const MIN_TIMES = 3;
/** Maximum number of calls read per archive. */
const MAX_CALLS = 2000;
/** Maximum length of a tool name. */
const MAX_NAME_LENGTH = 100;
/** Maximum number of workflows found per archive. */
const MAX_FOUND = 100;

interface Call {
  readonly name: string;
  readonly utterance: Utterance;
}

/**
 * Finds tools that were used repeatedly in the same order; parts of a longer sequence are left out. Yields
 * between steps of a few milliseconds.
 */
export function* workflowSteps({ utterances }: Conversation): Generator<undefined, Fact[]> {
  const calls = utterances
    .flatMap((utterance) =>
      utterance.tools
        .filter(({ status, name }) => status === "completed" && name !== "" && name.length <= MAX_NAME_LENGTH)
        .map(({ name }) => ({ name, utterance })),
    )
    .filter(({ name }, i, all) => name !== all[i - 1]?.name)
    .slice(0, MAX_CALLS);
  const found: { steps: string; places: number[]; length: number }[] = [];
  for (let length = MAX_STEPS; length >= MIN_STEPS; length--) {
    for (const [steps, places] of placesOf(calls, length)) {
      if (found.length === MAX_FOUND) break;
      if (places.length >= MIN_TIMES && !found.some((longer) => ` ${longer.steps} `.includes(` ${steps} `)))
        found.push({ steps, places, length });
    }
    yield;
  }
  return found.map(({ steps, places, length }) => {
    const sources = places.flatMap((at) => calls.slice(at, at + length).map(({ utterance }) => utterance));
    return {
      category: "patterns",
      topic: steps.replaceAll(" → ", " then "),
      text: `Works in this order: ${steps} (${places.length} times)`,
      slot: "order",
      sources: [...new Set(sources.map(({ id }) => id))],
      date: lastOf(sources).date,
    };
  });
}

/** Start positions of each sequence of different tools, without overlaps. */
function placesOf(calls: readonly Call[], length: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + length <= calls.length; at++) {
    const names = calls.slice(at, at + length).map(({ name }) => name);
    if (new Set(names).size < length) continue;
    const steps = names.join(" → ");
    const before = places.get(steps) ?? [];
    if (before.length === 0 || at - lastOf(before) >= length) places.set(steps, [...before, at]);
  }
  return places;
}
