import { EventLoopYielder } from "../../base/event-loop.ts";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { factFileOf } from "../../memory/facts/change-fact-file.ts";
import { homesOf } from "../../memory/facts/choose-fact-file.ts";
import { currentStatements, type FactFile, withoutSuperseded } from "../../memory/facts/fact-file.ts";
import type { MatchedContext } from "../../retrieve/hydrate.ts";
import type { Candidate } from "../../retrieve/recall-block.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { Tenant } from "../tenants.ts";
import type { TimeAndOriginLimits } from "./time-and-origin-masks.ts";

/**
 * Converts a hit to a part of the block: the current facts, or the passage that answers the query.
 * `isNarrowed`: the passage contains only the facts that were asked for.
 */
export function candidateOf(
  { workspace, owner }: Tenant,
  hit: MatchedContext,
  isNarrowed: boolean,
): Candidate | undefined {
  const found = locate(workspace.kv, workspace.keys, owner, workspace.uris.parse(uriOfNode(hit)));
  const node = found?.node;
  if (node === undefined || node === 0) return undefined;
  const facts = isNarrowed ? undefined : factFileOf(workspace, node);
  const text = facts ? statementsIn(hit.match, facts) : hit.match.trim() || hit.abstract.trim();
  if (text === "") return undefined;
  const { contextType: kind, uri, category, score } = hit;
  return { node, kind, uri, category, score, label: category || kind, text };
}

const uriOfNode = ({ uri, level }: MatchedContext): string =>
  level === 2 ? uri : uri.slice(0, uri.lastIndexOf("/"));

const statementsIn = (passage: string, facts: FactFile): string =>
  withoutSuperseded(passage, facts) || currentStatements(facts).join("\n");

/** Admitted statements of the user's profile that are not in the block yet. */
export async function profileOf(
  { workspace, owner }: Tenant,
  isKnown: (statement: string) => boolean,
  admission: TimeAndOriginLimits | undefined,
): Promise<Candidate | undefined> {
  const path = [...homesOf(owner).user, "profile.md"];
  const entry = locate(workspace.kv, workspace.keys, owner, path)?.entry;
  if (!entry) return undefined;
  const { node } = entry;
  const statements = admission
    ? ((await admission.narrow(path, entry))?.text?.split("\n") ?? [])
    : statementsOf(factFileOf(workspace, node));
  const yielder = new EventLoopYielder(workspace.incarnation);
  const lines: string[] = [];
  for (const statement of statements) {
    if (!isKnown(statement)) lines.push(statement);
    await yielder.yieldIfDue();
  }
  if (lines.length === 0) return undefined;
  const text = lines.join("\n");
  const uri = workspace.uris.format(path);
  return { node, kind: "profile", uri, category: "profile", score: 1, label: "profile", text };
}

const statementsOf = (facts: FactFile | undefined): string[] => (facts ? currentStatements(facts) : []);

/** The newest statements of a list that fit into `tokens`, at least one. */
export function fitted(candidate: Candidate, tokens: number): Candidate {
  const lines = candidate.text.split("\n");
  let from = lines.length;
  for (let left = tokens; from > 0; from--) {
    left -= estimateTokens(`${lines[from - 1]}\n`);
    if (left < 0) break;
  }
  return { ...candidate, text: lines.slice(Math.min(from, lines.length - 1)).join("\n") };
}
