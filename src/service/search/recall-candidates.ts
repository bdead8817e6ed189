import { currentStatements, type FactFile, withoutSuperseded } from "../../memory/fact-file.ts";
import { homesOf } from "../../memory/fact-places.ts";
import type { MatchedContext } from "../../retrieve/hydrate.ts";
import { isNearDuplicate, type KnownText, tokensOf } from "../../retrieve/recall-block.ts";
import type { RecalledPart } from "../../workspace/sessions/recalled.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";

/** What may become a part of a block. */
export interface Candidate extends Omit<RecalledPart, "text"> {
  /** What it is, in a word. */
  readonly label: string;
  readonly text: string;
}

/** A hit as a part: of facts what holds now, else the passage that answers. */
export function candidateOf({ workspace, owner }: Tenant, hit: MatchedContext): Candidate | undefined {
  const found = locate(workspace.kv, workspace.keys, owner, workspace.uris.parse(uriOfNode(hit)));
  const node = found?.node;
  if (node === undefined || node === 0) return undefined;
  const facts = factsOf(workspace.entryOf(node)?.record.meta);
  const text = facts ? statementsIn(hit.match, facts) : hit.match.trim() || hit.abstract.trim();
  if (text === "") return undefined;
  const { contextType: kind, uri, category, score } = hit;
  return { node, kind, uri, category, score, alsoIn: [], label: category || kind, text };
}

const uriOfNode = ({ uri, level }: MatchedContext): string =>
  level === 2 ? uri : uri.slice(0, uri.lastIndexOf("/"));

const factsOf = (meta: Readonly<Record<string, unknown>> | undefined): FactFile | undefined =>
  meta?.facts as FactFile | undefined;

const statementsIn = (passage: string, facts: FactFile): string =>
  withoutSuperseded(passage, facts) || currentStatements(facts).join("\n");

/** Nearly the same text once, with its other places. */
export function distinct(candidates: readonly Candidate[], told: KnownText): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (told.has(candidate.text)) continue;
    const at = chosen.findIndex((other) => isNearDuplicate(other.text, candidate.text));
    const same = chosen[at];
    if (same) chosen[at] = { ...same, alsoIn: [...same.alsoIn, candidate.uri] };
    else chosen.push(candidate);
  }
  return chosen;
}

/** What the profile of the user says beyond what was told. */
export function profileOf({ workspace, owner }: Tenant, told: KnownText): Candidate | undefined {
  const path = [...homesOf(owner).user, "profile.md"];
  const node = locate(workspace.kv, workspace.keys, owner, path)?.node;
  const facts = node === undefined ? undefined : factsOf(workspace.entryOf(node)?.record.meta);
  if (node === undefined || !facts) return undefined;
  const text = currentStatements(facts)
    .filter((statement) => !told.has(statement))
    .join("\n");
  if (text === "") return undefined;
  const uri = workspace.uris.format(path);
  return { node, kind: "profile", uri, category: "profile", score: 1, alsoIn: [], label: "profile", text };
}

/** The newest statements of a list that fit. */
export function fitted(candidate: Candidate, tokens: number): Candidate {
  const lines = candidate.text.split("\n");
  while (lines.length > 1 && tokensOf(lines.join("\n")) > tokens) lines.shift();
  return { ...candidate, text: lines.join("\n") };
}
