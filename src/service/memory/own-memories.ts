import { notFound } from "../../domain/errors.ts";
import { archiveName } from "../../domain/session.ts";
import { episodeMeta, timesOfEpisode } from "../../memory/episodes/episode-meta.ts";
import type { FactDeps } from "../../memory/facts/change-fact-file.ts";
import { type FactFile, type FactSource, heldFrom, type KnownFact } from "../../memory/facts/fact-file.ts";
import { heldUntil, isExpired, saidAtOf } from "../../memory/facts/validity.ts";
import { factsIn, type MemoryFile, memoryFile } from "../../memory/memory-files.ts";
import { EPISODE_KEY, factKeys, memoryId, placeOfMemory } from "../../memory/memory-id.ts";
import type { MemoryOrigin } from "../../memory/utterance.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import { hidesSessions } from "../../workspace/tree/shared-meta.ts";
import type { Tenant, Tenants } from "../tenants.ts";

export interface MemoryDeps extends FactDeps {
  readonly tenants: Tenants;
  readonly ids: () => string;
}

export interface MemoryView {
  memoryId: string;
  uri: string;
  kind: "fact" | "episode";
  statement: string;
  category: string;
  subject: string;
  origin: MemoryOrigin;
  createdAt: string;
  saidAt: string;
  validFrom: string;
  validUntil?: string;
  supersededBy?: string;
  expiresAt?: string;
  sources: { sessionId: string; archiveId: string; messageIds: string[] }[];
}

/** A memory of the caller. */
export type FoundMemory = FoundFact | FoundEpisode;

export interface FoundFact {
  readonly kind: "fact";
  readonly place: MemoryFile;
  readonly file: FactFile;
  readonly fact: KnownFact;
  readonly key: string;
}

export interface FoundEpisode {
  readonly kind: "episode";
  readonly place: MemoryFile;
}

const iso = (time: number): string => new Date(time).toISOString();

/**
 * The memory with this id. Throws the same NOT_FOUND if it never existed, has expired, or belongs to another
 * user.
 */
export async function findMemory({ workspace, owner }: Tenant, id: string): Promise<FoundMemory> {
  const named = placeOfMemory(workspace.incarnation, id);
  const place = named && memoryFile(workspace, owner, named.node);
  if (!place) throw notFound("memory", id);
  if (place.category === "events") {
    if (named.key !== EPISODE_KEY) throw notFound("memory", id);
    return { kind: "episode", place };
  }
  const { file } = await factsIn(workspace, place);
  const found = allFacts(place, file).find(({ key }) => key === named.key);
  if (!found || isExpired(found.fact, workspace.clock())) throw notFound("memory", id);
  return found;
}

/** The facts of a file, current ones first. */
export function allFacts(place: MemoryFile, file: FactFile): FoundFact[] {
  const facts = [...file.facts, ...file.earlier];
  const keys = factKeys(facts);
  return facts.map((fact, i) => ({ kind: "fact", place, file, fact, key: keys[i] ?? "" }));
}

export function viewOf(tenant: Tenant, found: FoundMemory): MemoryView {
  return found.kind === "fact" ? factView(tenant, found) : episodeView(tenant, found);
}

export const idOf = ({ workspace }: Tenant, { entry }: Pick<MemoryFile, "entry">, key: string): string =>
  memoryId(workspace.incarnation, { node: entry.node, key });

function factView(tenant: Tenant, { place, file, fact, key }: FoundFact): MemoryView {
  const until = heldUntil(file, fact);
  const stored = fact.stored ?? place.entry.created;
  return {
    memoryId: idOf(tenant, place, key),
    uri: tenant.workspace.uris.format(place.path),
    kind: "fact",
    statement: fact.text,
    category: place.category,
    subject: place.category === "profile" ? "user" : file.topic,
    origin: fact.origin ?? "user",
    createdAt: iso(stored),
    saidAt: iso(saidAtOf(fact, stored)),
    validFrom: iso(heldFrom(fact) || stored),
    ...(until !== undefined && { validUntil: iso(until) }),
    ...(fact.supersededBy !== undefined && { supersededBy: idOf(tenant, place, fact.supersededBy) }),
    ...(fact.expires !== undefined && { expiresAt: iso(fact.expires) }),
    sources: sourceViews(tenant, place, fact.sources),
  };
}

/** Empty for a shared agent, whose memories come from the sessions of all its users. */
const sourceViews = ({ owner }: Tenant, { path }: MemoryFile, sources: readonly FactSource[]) =>
  hidesSessions(owner, path) ? [] : sources.map(sourceView);

const sourceView = ({ session, archive, messages }: FactSource) => ({
  sessionId: session,
  archiveId: archiveName(archive),
  messageIds: [...messages],
});

function episodeView(tenant: Tenant, { place }: FoundEpisode): MemoryView {
  const { workspace } = tenant;
  const meta = episodeMeta(workspace, place);
  const { session, archive, messages } = meta;
  const { origin, first } = timesOfEpisode(place, meta);
  const said = iso(first);
  return {
    memoryId: idOf(tenant, place, EPISODE_KEY),
    uri: workspace.uris.format(place.path),
    kind: "episode",
    statement: layerOf(workspace, place.entry, 0) ?? "",
    category: place.category,
    subject: "",
    origin,
    createdAt: iso(place.entry.created),
    saidAt: said,
    validFrom: said,
    sources:
      session === undefined || archive === undefined || !messages
        ? []
        : sourceViews(tenant, place, [{ session, archive, messages }]),
  };
}
