import { z } from "zod";
import { itemAt } from "../../base/expect.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";

export const LEAST_TOKENS = 50;
export const MOST_TOKENS = 50_000;

/** Maximum characters per token in the budget: white space counts no tokens, but does take bytes. */
export const CHARACTERS_A_TOKEN = 12;
const STEP = 64;

/** Argument that limits a tool's response. `standard`: the default. */
export const maxTokens = (standard: number) =>
  z
    .int()
    .min(LEAST_TOKENS)
    .max(MOST_TOKENS)
    .default(standard)
    .describe("Tokens of the answer at most; the last line of a cut answer says how to go on.");

/**
 * End of the longest prefix of `text` within the budget, preferably at a line end, never inside a character.
 */
export function fittingEnd(text: string, budget: number): number {
  const end = hardEnd(text, budget);
  if (end === text.length) return end;
  const line = text.lastIndexOf("\n", end - 1);
  if (line >= 0) return line + 1;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}

function hardEnd(text: string, budget: number): number {
  const most = Math.min(text.length, budget * CHARACTERS_A_TOKEN);
  let left = budget;
  let at = 0;
  while (at < most) {
    const next = Math.min(most, at + STEP);
    left -= estimateTokens(text, at, next);
    if (left < 0) break;
    at = next;
  }
  // at least one step, so that reading makes progress
  return Math.max(at, Math.min(STEP, text.length));
}

/** Number of leading blocks that fit; at least one, which is then cut. */
export function fitting(blocks: readonly string[], budget: number): number {
  let tokens = 0;
  let characters = 0;
  for (const [i, block] of blocks.entries()) {
    tokens += estimateTokens(block);
    characters += block.length;
    if (tokens > budget || characters > budget * CHARACTERS_A_TOKEN) return Math.max(1, i);
  }
  return blocks.length;
}

/** Truncates text to the budget, and marks the truncation. */
export function shortened(text: string, budget: number): string {
  const end = fittingEnd(text, budget);
  return end === text.length ? text : `${text.slice(0, end).trimEnd()} […]`;
}

/**
 * A list within the budget: `head`, as many blocks as fit, and a note about the omitted ones, which `rest`
 * returns for the number of shown ones.
 */
export function listWithinBudget(
  head: string,
  blocks: readonly string[],
  budget: number,
  rest: (shown: number) => string | undefined,
): string {
  const shown = fitting(blocks, budget);
  const parts = blocks.slice(0, shown);
  if (shown === 1) parts[0] = shortened(itemAt(parts, 0), budget);
  const tail = rest(shown);
  return [head, ...parts, ...(tail === undefined ? [] : [`[${tail}]`])]
    .filter((part) => part !== "")
    .join("\n");
}

interface Paged {
  readonly nodeLimit: number;
  readonly budget: number;
  readonly head: string;
  readonly none: string;
}

type AskPage<T> = (most: number) => Promise<{
  readonly items: readonly T[];
  /** Blocks of text, one per item. */
  readonly blocks: readonly string[];
  readonly nextCursor: string | undefined;
}>;

export interface PagedText<T> {
  readonly text: string;
  /** Items that the text contains. */
  readonly items: T[];
  readonly nextCursor: string | undefined;
}

/**
 * A page of a list. If the budget truncates it, requests a shorter page to get the cursor for that position.
 */
export async function pagedText<T>(
  ask: AskPage<T>,
  { nodeLimit, budget, head, none }: Paged,
): Promise<PagedText<T>> {
  const first = await ask(nodeLimit);
  if (first.blocks.length === 0) {
    const text = [head, none].filter((part) => part !== "").join("\n");
    return { text, items: [], nextCursor: undefined };
  }
  let { nextCursor } = first;
  const shown = fitting(first.blocks, budget);
  if (shown < first.blocks.length) nextCursor = (await ask(shown)).nextCursor;
  const text = listWithinBudget(head, first.blocks.slice(0, shown), budget, () =>
    nextCursor === undefined ? undefined : `more follow; continue with cursor ${nextCursor}`,
  );
  return { text, items: first.items.slice(0, shown), nextCursor };
}
