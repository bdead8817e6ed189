import { estimateTokens } from "../../domain/text/tokens.ts";
import { shorten } from "../shorten.ts";
import { type Children, childLineSteps } from "./child-lines.ts";
import { GROUPS_NOTE, MAX_DIRECTORY_OVERVIEW_LENGTH } from "./directory-layers.ts";

/** Maximum attempts to build a list, each for fewer characters, if it has more tokens than estimated. */
const MAX_TRIES = 8;
const LESS_ROOM = 0.85;

/** The first lines of an overview that fit the budget of estimated tokens, without a trailing heading. */
export function cutOverview(overview: string, tokens: number): string {
  if (estimateTokens(overview) <= tokens) return overview;
  let end = 0;
  let left = tokens;
  for (let next = 0; next < overview.length; end = next) {
    const newline = overview.indexOf("\n", next);
    next = newline < 0 ? overview.length : newline + 1;
    left -= estimateTokens(overview, end, next);
    if (left < 0) break;
  }
  const kept = withoutLastHeadings(overview.slice(0, end));
  return kept === "" ? beginning(overview, tokens) : kept;
}

/** Removes headings and white space at the end, line by line: runs of white space are read only once. */
function withoutLastHeadings(text: string): string {
  let kept = text.trimEnd();
  while (kept !== "") {
    const line = kept.lastIndexOf("\n") + 1;
    // in the whole text, because a heading may be empty
    if (!/^#+ /.test(text.slice(line))) break;
    kept = kept.slice(0, line).trimEnd();
  }
  return kept;
}

/** The first words that fit, if the first line is too long. */
function beginning(text: string, tokens: number): string {
  let room = charactersOf(text, tokens);
  while (room > 1 && estimateTokens(shorten(text, room)) > tokens) room = Math.floor(room * LESS_ROOM);
  return shorten(text, room);
}

/** A directory's overview with its list of children rebuilt for a budget of estimated tokens, in steps. */
export function* relistedSteps(
  overview: string,
  children: Children,
  tokens: number,
): Generator<undefined, string> {
  const list = /(?:^|\n)- /.exec(overview)?.index ?? overview.length;
  const head = overview.slice(0, list).replace(GROUPS_NOTE, "").trimEnd();
  return yield* listedWithin(head, children, tokens, charactersOf(overview, tokens - estimateTokens(head)));
}

/** The overview of some children of a directory, in steps. */
export function* groupOverviewSteps(
  title: string,
  children: Children,
  tokens: number | undefined,
): Generator<undefined, string> {
  const head = `# ${title}`;
  const lines = yield* childLineSteps(children, MAX_DIRECTORY_OVERVIEW_LENGTH - head.length);
  const whole = [head, "", ...lines].join("\n");
  if (tokens === undefined) return whole.trimEnd();
  return yield* listedWithin(head, children, tokens, charactersOf(whole, tokens - estimateTokens(head)));
}

function* listedWithin(
  head: string,
  children: Children,
  tokens: number,
  length: number,
): Generator<undefined, string> {
  let room = length;
  const left = tokens - estimateTokens(head);
  for (let tries = 0; left > 0 && tries < MAX_TRIES; tries++, room *= LESS_ROOM) {
    const lines = yield* childLineSteps(children, Math.floor(room));
    const made = [head, "", ...lines].join("\n").trimEnd();
    if (estimateTokens(made) <= tokens) return made;
  }
  return cutOverview(head, tokens);
}

/** Converts a token budget to characters, for text of the same kind. */
const charactersOf = (text: string, tokens: number): number =>
  Math.max(1, Math.floor((tokens * text.length) / Math.max(1, estimateTokens(text))));
