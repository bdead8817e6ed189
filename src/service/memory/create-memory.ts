import { EventLoopYielder } from "../../base/event-loop.ts";
import { failedPrecondition, invalidArgument } from "../../domain/errors.ts";
import { expireJob, jobOwner } from "../../domain/job.ts";
import { checkWritable } from "../../domain/scope.ts";
import { timeIn } from "../../domain/text/iso-time.ts";
import type { Path } from "../../domain/uri.ts";
import { changeFactFile, type FoundFacts } from "../../memory/facts/change-fact-file.ts";
import { directoryOf, fileFor, homesOf } from "../../memory/facts/choose-fact-file.ts";
import type { FactCategory } from "../../memory/facts/fact.ts";
import type { FactText } from "../../memory/facts/fact-file.ts";
import { type FactFile, factText, type KnownFact, MAX_FACTS, normal } from "../../memory/facts/fact-file.ts";
import { readFacts, rewritten } from "../../memory/facts/fact-text.ts";
import { mergeSteps } from "../../memory/facts/merge-facts.ts";
import { filesIn } from "../../memory/facts/persist-facts.ts";
import { newFactKey } from "../../memory/memory-id.ts";
import { statedFactSteps } from "../../memory/rules/statements.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { checkOrigin } from "../time-and-origin.ts";
import { allFacts, type MemoryDeps, type MemoryView, viewOf } from "./own-memories.ts";
import { checkExpiry, checkStatement, dayOf } from "./statement.ts";

const CATEGORIES = ["profile", "preferences", "entities", "patterns"] as const;
const MAX_SUBJECT_LENGTH = 200;
/** Number of words of a statement that name its file by default. */
const SUBJECT_WORDS = 4;

export interface CreateMemoryInput {
  readonly statement: string;
  readonly category?: string | undefined;
  readonly subject?: string | undefined;
  readonly validFrom?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly origin?: string | undefined;
}

interface CreatedMemory {
  memory: MemoryView;
  created: boolean;
}

interface NewMemory {
  readonly category: FactCategory;
  readonly topic: string;
  readonly fact: KnownFact;
}

/** POST memories: stores a statement verbatim in the file for its subject. */
export async function createMemory(
  deps: MemoryDeps,
  call: ServiceCall,
  input: CreateMemoryInput,
): Promise<CreatedMemory> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const memory = await checkedMemory(
    deps,
    tenant,
    await tenant.workspace.secrets.screenFields(call.reply, input, ["statement", "subject"]),
  );
  const path = await pathFor(tenant, memory);
  const { workspace, owner } = tenant;
  checkWritable(owner, path, workspace.uris.format(path), "category");
  let answer: CreatedMemory | undefined;
  let made: FactText | undefined;
  const isThere = await changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: false,
      decide: async (found) => {
        made = undefined;
        answer = knownAlready(tenant, path, memory, found);
        if (answer) return undefined;
        made = await merged(tenant, path, memory, found);
        return made;
      },
      within: (draft, node) => {
        if (!made) return false;
        const before = locate(draft, draft.keys, owner, path)?.entry;
        const now = workspace.clock();
        const entry = {
          node,
          kind: "file",
          generation: 0,
          size: 0,
          created: before?.created ?? now,
          modified: now,
        } as const;
        const place = { category: memory.category, path, entry };
        const fact = allFacts(place, made.file).find(({ key }) => key === memory.fact.key);
        if (!fact) return false;
        answer = { memory: viewOf(tenant, fact), created: true };
        deps.queue.admit(draft, workspace.incarnation);
        if (memory.fact.expires !== undefined) {
          const expiring = { node, key: fact.key, user: owner.user, agent: owner.agent };
          deps.queue.enqueue(
            draft,
            expireJob(workspace.incarnation, jobOwner(call.caller), expiring, memory.fact.expires),
          );
        }
        call.keepAnswer?.(draft, answer);
        return true;
      },
    },
  );
  if (!isThere || !answer)
    throw failedPrecondition(
      workspace.uris.format(path),
      "cannot hold memories, because it is a folder, is not a text file, or is too long: choose another subject",
    );
  return answer;
}

async function checkedMemory(
  deps: MemoryDeps,
  { workspace }: Tenant,
  input: CreateMemoryInput,
): Promise<NewMemory> {
  const now = workspace.clock();
  const text = checkStatement(input.statement);
  const category = CATEGORIES.find((one) => one === input.category);
  if (input.category !== undefined && !category)
    throw invalidArgument("category", `must be one of ${CATEGORIES.join(", ")}`);
  const subject = input.subject === undefined ? undefined : checkSubject(input.subject);
  const from = timeIn(input.validFrom, "valid_from") ?? now;
  const expires = checkExpiry(input.expiresAt, now);
  const date = dayOf(from);
  const facts = await new EventLoopYielder(workspace.incarnation).through(readingSteps(text, date));
  const read = facts.find((fact) => category === undefined || fact.category === category);
  return {
    category: category ?? read?.category ?? "entities",
    topic: subject ?? read?.topic ?? firstWords(text),
    fact: {
      text,
      date,
      from,
      stored: now,
      said: from,
      key: newFactKey("created", deps.ids()),
      origin: checkOrigin(input.origin ?? "user", "origin"),
      sources: [],
      ...(read?.slot !== undefined && { slot: read.slot }),
      ...(expires !== undefined && { expires }),
    },
  };
}

function checkSubject(given: string): string {
  const subject = given.length > MAX_SUBJECT_LENGTH ? "" : given.toWellFormed().replace(/\s+/g, " ").trim();
  if (subject === "") throw invalidArgument("subject", `must have 1 to ${MAX_SUBJECT_LENGTH} characters`);
  return subject;
}

/** Applies the rules to a statement, which find its category, subject and slot. */
const readingSteps = (text: string, date: string) =>
  statedFactSteps({
    utterances: [
      {
        id: "",
        role: "user",
        speaker: "user",
        isNamed: false,
        when: date,
        date,
        time: Date.parse(date),
        text,
        tools: [],
      },
    ],
  });

const firstWords = (text: string): string =>
  text
    .replace(/^(?:the|my|our|we|i|an?|all|every)\b ?/i, "")
    .split(/\s+/)
    .slice(0, SUBJECT_WORDS)
    .join(" ");

async function pathFor({ workspace, owner }: Tenant, { category, topic, fact }: NewMemory): Promise<Path> {
  const directory = directoryOf(homesOf(owner), category);
  const files = await filesIn(workspace, owner, directory);
  return [...directory, fileFor({ category, topic, text: fact.text, sources: [], date: fact.date }, files)];
}

/** The response if the same statement is already stored and current; otherwise undefined. */
function knownAlready(
  tenant: Tenant,
  path: Path,
  memory: NewMemory,
  { located, known, text }: FoundFacts,
): CreatedMemory | undefined {
  if (text === undefined || !located?.entry) return undefined;
  const place = { category: memory.category, path, entry: located.entry };
  const { file } = readFacts(text, known, memory.category);
  const same = allFacts(place, file).find(
    ({ fact }) => file.facts.includes(fact) && normal(fact.text) === normal(memory.fact.text),
  );
  return same && { memory: viewOf(tenant, same), created: false };
}

async function merged(
  { workspace }: Tenant,
  path: Path,
  { category, topic, fact }: NewMemory,
  { known, text }: FoundFacts,
): Promise<FactText> {
  const empty: FactFile = { category, topic, facts: [], earlier: [] };
  const before = text === undefined ? undefined : readFacts(text, known, category);
  const file = before?.file ?? empty;
  const isAnswered = fact.slot !== undefined && file.facts.some(({ slot }) => slot === fact.slot);
  // an edited file may exceed the maximum: a new line must not displace any of its lines
  if (file.facts.length > (isAnswered ? MAX_FACTS : MAX_FACTS - 1))
    throw failedPrecondition(
      workspace.uris.format(path),
      `it has ${file.facts.length} facts, and the limit is ${MAX_FACTS}: choose another subject, or delete some`,
    );
  const { file: after } = await new EventLoopYielder(workspace.incarnation).through(mergeSteps(file, [fact]));
  return before ? rewritten(before, after) : { file: after, text: factText(after) };
}
