import { estimateTokens } from "../../domain/text/tokens.ts";
import { shorten } from "../shorten.ts";
import { type Children, childLines } from "./child-lines.ts";
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
  const kept = overview.slice(0, end).replace(/(?:\s*(?:^|\n)#+ [^\n]*)*\s*$/, "");
  return kept === "" ? beginning(overview, tokens) : kept;
}

/** The first words that fit, if the first line is too long. */
function beginning(text: string, tokens: number): string {
  let room = charactersOf(text, tokens);
  while (room > 1 && estimateTokens(shorten(text, room)) > tokens) room = Math.floor(room * LESS_ROOM);
  return shorten(text, room);
}

/** A directory's overview with its list of children rebuilt for a budget of estimated tokens. */
export function relistedOverview(overview: string, children: Children, tokens: number): string {
  const list = /(?:^|\n)- /.exec(overview)?.index ?? overview.length;
  const head = overview.slice(0, list).replace(GROUPS_NOTE, "").trimEnd();
  return listedWithin(head, children, tokens, charactersOf(overview, tokens - estimateTokens(head)));
}

/** The overview of some children of a directory. */
export function groupOverview(title: string, children: Children, tokens: number | undefined): string {
  const head = `# ${title}`;
  const whole = [head, "", ...childLines(children, MAX_DIRECTORY_OVERVIEW_LENGTH - head.length)].join("\n");
  if (tokens === undefined) return whole.trimEnd();
  return listedWithin(head, children, tokens, charactersOf(whole, tokens - estimateTokens(head)));
}

function listedWithin(head: string, children: Children, tokens: number, length: number): string {
  let room = length;
  const left = tokens - estimateTokens(head);
  for (let tries = 0; left > 0 && tries < MAX_TRIES; tries++, room *= LESS_ROOM) {
    const made = [head, "", ...childLines(children, Math.floor(room))].join("\n").trimEnd();
    if (estimateTokens(made) <= tokens) return made;
  }
  return cutOverview(head, tokens);
}

/** Converts a token budget to characters, for text of the same kind. */
const charactersOf = (text: string, tokens: number): number =>
  Math.max(1, Math.floor((tokens * text.length) / Math.max(1, estimateTokens(text))));
