import { sha256 } from "../base/sha256.ts";
import { type NodeId, nodeId } from "../domain/node.ts";
import { IndexKeys } from "../index/keys.ts";
import { idKey, lastNumber, lastTwoNumbers, leadingId, sequenceKey } from "../storage/key-numbers.ts";

/**
 * All keys of a workspace. Numbers are in base 36 with fixed width, so that the order of keys is the order of
 * numbers. Accounts, users and API keys have theirs in src/accounts (`a… k/`), jobs in src/domain/job.ts
 * (`q/ qx/`), the index in src/index/keys.ts (`d/ v/ o p/ x/ g/`). Records have their shapes in records.ts.
 *
 * ```
 * w/<ws>/e/<directory>/<name>          Entry: one get for stat, one range a level for ls and tree
 * w/<ws>/n/<node>                      NodeRecord: the way back to directory and name
 * w/<ws>/c/<node>/<generation>         content up to 16 KiB, or the hash of its blob
 * w/<ws>/y/<node>/<version>            VersionRecord: a replaced content of a file
 * w/<ws>/l/<node>/<generation>/<0|1>   L0, L1 as UTF-8 text
 * w/<ws>/u/<node>                      Usage
 * w/<ws>/q/<node>                      properties that clients store with it (tree/node-properties.ts)
 * w/<ws>/T/<node>                      its tags (tree/node-tags.ts)
 * w/<ws>/D/<node>                      ScheduleRecord: when a resource is imported again (schedules/)
 * w/<ws>/R/<owner>/<node>              TrashRecord: what was removed; <node> is its directory in the trash
 * w/<ws>/S/s/<owner>/<name>            SnapshotRecord (snapshots/records.ts)
 * w/<ws>/S/e/<directory>/<name>\u0001<number> KeptEntry: the entry before its first change after a snapshot
 * w/<ws>/S/n/<node>                    KeptNode: what snapshots keep of a node
 * w/<ws>/b/<hash>                      BlobRecord
 * w/<ws>/d/<partition>/<doc>           a chunk (src/index/segments/record.ts)
 * w/<ws>/v/<space>/<partition>/<doc>   a vector of a further space
 * w/<ws>/o                             SpacesRecord: which spaces hold vectors, and which is filled
 * w/<ws>/p/<owner>                     the partition of "+shared" or a user
 * w/<ws>/x/<partition>                 IndexManifest: the files of a partition
 * w/<ws>/k                             Checkpoint of the node table
 * w/<ws>/j/<sequence>                  JournalRecord: changes in commit order
 * w/<ws>/f/<number>/<position>         ChangeRecord: what readers of the change stream see (changes/)
 * w/<ws>/w/<user>/<webhook>/<p|r>      WebhookProgress and WebhookRecord (webhooks/records.ts)
 * w/<ws>/z/<stage>/<part>              StageRecord: an import under construction
 * w/<ws>/h/<uri hash>                  the root reserved for an accepted import
 * w/<ws>/t/<user>/<task>               TaskRecord
 * w/<ws>/i/<user>/<hash>               FirstAnswerRecord: a first answer under an idempotency key
 * w/<ws>/F/<user>/r                    ForgetPlanRecord: what a forget operation removes, while it runs
 * w/<ws>/F/<user>/<m|n>/<step>         MessagesStep and MemoryStep: steps that are not done yet
 * w/<ws>/r/o/<from>\u0001<to>          RelationRecord; ends are `n` and a node or `u` and a place
 * w/<ws>/r/i/<to>\u0001<from>          reverse record
 * w/<ws>/r/g/<node>                    the place of a removed node until its relations are moved there
 * w/<ws>/r/u/<place>\u0001<node>       reverse record
 * w/<ws>/A/n/<node>/<grantee>           GrantRecord of everyone (`e`), an agent (`a…`), a group (`g…`) or a user (`u…`)
 * w/<ws>/A/g/<group>                   GroupRecord
 * w/<ws>/s/<session>/r                 SessionRecord; <session> is the node of its directory
 * w/<ws>/s/<session>/a/<archive>       ArchiveRecord
 * w/<ws>/s/<session>/l/<archive>/<0|1> L0, L1 of an archive as UTF-8 text
 * w/<ws>/s/<session>/i/<hash>          ids that callers gave to messages
 * w/<ws>/s/<session>/t/<name>          ToolRecord: a file under `tools/`
 * w/<ws>/s/<session>/u/<hash>          a URI that was used
 * w/<ws>/s/<session>/p/<archive>/<hash> a use that the commit of an archive counts
 * w/<ws>/s/<session>/f/<archive>       findings that are not stored as memories yet (sessions/commits.ts)
 * w/<ws>/s/<session>/e/<digest>        the node of an episode, by the digest of its messages
 * w/<ws>/s/<directory>/x/<id>          a deleted session; <directory> is that of the user
 * w/<ws>/m/<session>/<archive>/<seq>   Message: a line of `messages.jsonl`
 * w/<ws>/a/<session>/p/<seq>           RecalledPart
 * w/<ws>/a/<session>/t/<turn>          RecalledExtent after a turn
 * w/<ws>/a/<session>/e                 RecalledExtent
 * w/<ws>/g/<counter>                   the limit of a counter; `stored`: StoredRecord
 * f/<ws>/<upload>                      UploadRecord: ids are unguessable
 * m/<fact>                             a server fact (src/storage/server-facts.ts)
 * y/<ws>/<user>/<task>                 a task that has not ended, resumed at the next start
 * ```
 */
export const UNFINISHED_TASKS = "y/";
export const UPLOADS = "f/";

/** Letters of all record kinds of a workspace. */
export const KINDS = "abcdefghijklmnopqrstuvwxyzADFRST";
/**
 * Letters of record kinds that contain content from callers. Layers are usually derived, but packs and
 * descriptions of folders and skills bring their own, and a pack may contain little else.
 */
const STORED = "acbelnmiqryTRS";
/**
 * Letters of session record kinds with URIs from callers: used contexts and skills, whose number is
 * unlimited.
 */
const STORED_OF_SESSION = /^[0-9a-z]+\/[pu]\//;
/** Version of the set of counted kinds; a workspace counted with another one is counted again. */
export const COUNTED_KINDS = `${STORED} s/pu nodes chunks`;
/** Separator that does not occur in names, and sorts before all characters of names. */
const BETWEEN_ENDS = "\u0001";

export class Keys extends IndexKeys {
  entries = (directory: NodeId): string => `${this.prefix}e/${idKey(directory)}/`;
  entry = (directory: NodeId, name: string): string => `${this.entries(directory)}${name}`;
  allEntries = (): string => `${this.prefix}e/`;
  node = (node: NodeId): string => `${this.prefix}n/${idKey(node)}`;
  allNodes = (): string => `${this.prefix}n/`;
  contents = (node: NodeId): string => `${this.prefix}c/${idKey(node)}/`;
  content = (node: NodeId, generation: number): string => `${this.contents(node)}${idKey(generation)}`;
  allContents = (): string => `${this.prefix}c/`;
  versions = (node: NodeId): string => `${this.prefix}y/${idKey(node)}/`;
  version = (node: NodeId, version: number): string => `${this.versions(node)}${idKey(version)}`;
  allVersions = (): string => `${this.prefix}y/`;
  layers = (node: NodeId): string => `${this.prefix}l/${idKey(node)}/`;
  layer = (node: NodeId, generation: number, level: 0 | 1): string =>
    `${this.layers(node)}${idKey(generation)}/${level}`;
  allLayers = (): string => `${this.prefix}l/`;
  usage = (node: NodeId): string => `${this.prefix}u/${idKey(node)}`;
  allUsage = (): string => `${this.prefix}u/`;
  properties = (node: NodeId): string => `${this.prefix}q/${idKey(node)}`;
  allProperties = (): string => `${this.prefix}q/`;
  tags = (node: NodeId): string => `${this.allTags()}${idKey(node)}`;
  allTags = (): string => `${this.prefix}T/`;
  schedule = (node: NodeId): string => `${this.allSchedules()}${idKey(node)}`;
  allSchedules = (): string => `${this.prefix}D/`;
  /** Whether a record makes the server act on its own; a copy of the account omits such records. */
  isActing = (key: string): boolean =>
    key.startsWith(this.allWebhooks()) || key.startsWith(this.allSchedules());
  trashOf = (owner: string): string => `${this.allTrash()}${owner}/`;
  trashed = (owner: string, item: NodeId): string => `${this.trashOf(owner)}${idKey(item)}`;
  allTrash = (): string => `${this.prefix}R/`;
  allSnapshots = (): string => `${this.prefix}S/s/`;
  snapshotsOf = (owner: string): string => `${this.allSnapshots()}${owner}/`;
  snapshot = (owner: string, name: string): string => `${this.snapshotsOf(owner)}${name}`;
  allKeptEntries = (): string => `${this.prefix}S/e/`;
  keptEntriesIn = (directory: NodeId): string => `${this.allKeptEntries()}${idKey(directory)}/`;
  keptEntriesOf = (directory: NodeId, name: string): string =>
    `${this.keptEntriesIn(directory)}${name}${BETWEEN_ENDS}`;
  keptEntry = (directory: NodeId, name: string, number: number): string =>
    `${this.keptEntriesOf(directory, name)}${idKey(number)}`;
  keptNode = (node: NodeId): string => `${this.allKeptNodes()}${idKey(node)}`;
  allKeptNodes = (): string => `${this.prefix}S/n/`;
  blob = (hash: string): string => `${this.prefix}b/${hash}`;
  allBlobs = (): string => `${this.prefix}b/`;
  checkpoint = (): string => `${this.prefix}k`;
  journal = (sequence: number): string => `${this.prefix}j/${sequenceKey(sequence)}`;
  allJournal = (): string => `${this.prefix}j/`;
  change = (number: number, position: number): string =>
    `${this.changesFrom(number)}/${sequenceKey(position)}`;
  changesFrom = (number: number): string => `${this.allChanges()}${sequenceKey(number)}`;
  allChanges = (): string => `${this.prefix}f/`;
  allWebhooks = (): string => `${this.prefix}w/`;
  webhooksOf = (user: string): string => `${this.allWebhooks()}${user}/`;
  webhook = (user: string, id: string): string => `${this.webhooksOf(user)}${id}/r`;
  webhookProgress = (user: string, id: string): string => `${this.webhooksOf(user)}${id}/p`;
  /** Key of the webhook record for a key of its progress. */
  webhookOfProgress = (key: string): string => `${key.slice(0, -1)}r`;
  isWebhook = (key: string): boolean => key.startsWith(this.allWebhooks()) && key.endsWith("/r");
  stageParts = (stage: number): string => `${this.prefix}z/${idKey(stage)}/`;
  stage = (stage: number, part: number): string => `${this.stageParts(stage)}${idKey(part)}`;
  allStages = (): string => `${this.prefix}z/`;
  reservation = (uri: string): string => `${this.prefix}h/${sha256(uri)}`;
  allReservations = (): string => `${this.prefix}h/`;
  allUnfinished = (): string => `${UNFINISHED_TASKS}${this.prefix.slice(2)}`;
  unfinishedOf = (user: string): string => `${this.allUnfinished()}${user}/`;
  unfinished = (user: string, task: string): string => `${this.unfinishedOf(user)}${task}`;
  tasks = (user: string): string => `${this.prefix}t/${user}/`;
  task = (user: string, task: string): string => `${this.tasks(user)}${task}`;
  allTasks = (): string => `${this.prefix}t/`;
  firstAnswers = (user: string): string => `${this.prefix}i/${user}/`;
  firstAnswer = (user: string, hash: string): string => `${this.firstAnswers(user)}${hash}`;
  allFirstAnswers = (): string => `${this.prefix}i/`;
  forgetPlans = (user: string): string => `${this.allForgetPlans()}${user}/`;
  forgetPlan = (user: string): string => `${this.forgetPlans(user)}r`;
  forgetSteps = (user: string, of: "m" | "n"): string => `${this.forgetPlans(user)}${of}/`;
  forgetStep = (user: string, of: "m" | "n", step: number): string =>
    `${this.forgetSteps(user, of)}${idKey(step)}`;
  allForgetPlans = (): string => `${this.prefix}F/`;
  relations = (side: "o" | "i", end: string): string => `${this.prefix}r/${side}/${end}${BETWEEN_ENDS}`;
  relation = (side: "o" | "i", end: string, other: string): string => `${this.relations(side, end)}${other}`;
  relationsAt = (side: "o" | "i", place: string): string => `${this.prefix}r/${side}/u${place}`;
  allRelations = (): string => `${this.prefix}r/`;
  allRelationsOf = (side: "o" | "i"): string => `${this.prefix}r/${side}/`;
  gone = (node: NodeId): string => `${this.prefix}r/g/${idKey(node)}`;
  allGone = (): string => `${this.prefix}r/g/`;
  goneAt = (place: string): string => `${this.prefix}r/u/${place}${BETWEEN_ENDS}`;
  goneNodeAt = (place: string, node: NodeId): string => `${this.goneAt(place)}${idKey(node)}`;
  goneBelow = (place: string): string => `${this.prefix}r/u/${place}/`;
  allGonePlaces = (): string => `${this.prefix}r/u/`;
  grants = (node: NodeId): string => `${this.prefix}A/n/${idKey(node)}/`;
  grant = (node: NodeId, grantee: string): string => `${this.grants(node)}${grantee}`;
  allGrants = (): string => `${this.prefix}A/n/`;
  group = (name: string): string => `${this.prefix}A/g/${name}`;
  sessionRecords = (session: NodeId): string => `${this.prefix}s/${idKey(session)}/`;
  session = (session: NodeId): string => `${this.sessionRecords(session)}r`;
  allSessions = (): string => `${this.prefix}s/`;
  archives = (session: NodeId): string => `${this.sessionRecords(session)}a/`;
  archive = (session: NodeId, archive: number): string => `${this.archives(session)}${idKey(archive)}`;
  archiveLayer = (session: NodeId, archive: number, level: 0 | 1): string =>
    `${this.sessionRecords(session)}l/${idKey(archive)}/${level}`;
  ownId = (session: NodeId, id: string): string => `${this.sessionRecords(session)}i/${sha256(id)}`;
  tools = (session: NodeId): string => `${this.sessionRecords(session)}t/`;
  tool = (session: NodeId, name: string): string => `${this.tools(session)}${name}`;
  used = (session: NodeId, uri: string): string => `${this.sessionRecords(session)}u/${sha256(uri)}`;
  allPendingUses = (session: NodeId): string => `${this.sessionRecords(session)}p/`;
  pendingUses = (session: NodeId, archive: number): string =>
    `${this.allPendingUses(session)}${idKey(archive)}/`;
  pendingUse = (session: NodeId, archive: number, uri: string): string =>
    `${this.pendingUses(session, archive)}${sha256(uri)}`;
  findings = (session: NodeId, archive: number): string =>
    `${this.sessionRecords(session)}f/${idKey(archive)}`;
  episode = (session: NodeId, digest: string): string => `${this.sessionRecords(session)}e/${digest}`;
  deletedSession = (directory: NodeId, id: string): string => `${this.sessionRecords(directory)}x/${id}`;
  sessionMessages = (session: NodeId): string => `${this.prefix}m/${idKey(session)}/`;
  messages = (session: NodeId, archive: number): string =>
    `${this.sessionMessages(session)}${idKey(archive)}/`;
  message = (session: NodeId, archive: number, sequence: number): string =>
    `${this.messages(session, archive)}${idKey(sequence)}`;
  allMessages = (): string => `${this.prefix}m/`;
  recalled = (session: NodeId): string => `${this.prefix}a/${idKey(session)}/`;
  recalledExtent = (session: NodeId): string => `${this.recalled(session)}e`;
  recalledParts = (session: NodeId): string => `${this.recalled(session)}p/`;
  recalledPart = (session: NodeId, sequence: number): string =>
    `${this.recalledParts(session)}${idKey(sequence)}`;
  recalledTurn = (session: NodeId, turn: string): string => `${this.recalled(session)}t/${turn}`;
  allRecalled = (): string => `${this.prefix}a/`;
  /** Prefixes of records that count toward the account's stored bytes (stored-bytes.ts). */
  stored = (): string[] => Array.from(`${STORED}s`, (kind) => `${this.prefix}${kind}/`);
  isStored = (key: string): boolean => {
    if (!key.startsWith(this.prefix) || key[this.prefix.length + 1] !== "/") return false;
    const kind = key.charAt(this.prefix.length);
    return kind === "s" ? STORED_OF_SESSION.test(key.slice(this.prefix.length + 2)) : STORED.includes(kind);
  };
}

/** The two ends in a relation's key, which starts with `prefix`. */
export function endsOfKey(prefix: string, key: string): [end: string, other: string] {
  const between = key.indexOf(BETWEEN_ENDS, prefix.length);
  return [key.slice(prefix.length, between), key.slice(between + 1)];
}

/** The node at the end of a node record's key. */
export const nodeOfKey = (key: string): NodeId => nodeId(lastNumber(key));

/**
 * The two numbers at the end of a key: node and generation of a content or layer, or node and version number.
 */
export function versionOfKey(key: string): [node: NodeId, number: number] {
  const [node, number] = lastTwoNumbers(key);
  return [nodeId(node), number];
}

/** The node id at the end of a `goneNodeAt` key. */
export const lastNodeOfKey = (key: string): NodeId =>
  nodeId(Number.parseInt(key.slice(key.lastIndexOf(BETWEEN_ENDS) + 1), 36));

export const nodeEnd = (node: NodeId): string => `n${idKey(node)}`;
/** The node of an end; undefined if the end is a path. */
export const nodeOfEnd = (end: string): NodeId | undefined =>
  end.startsWith("n") ? nodeId(Number.parseInt(end.slice(1), 36)) : undefined;

export const placeEnd = (place: string): string => `u${place}`;

/** Node and kind letter in the key of a session's record. */
export function ownerOfSessionKey(keys: Keys, key: string): { node: NodeId; kind: string } {
  const [node, rest] = leadingId(key.slice(keys.allSessions().length));
  return { node: nodeId(node), kind: rest.charAt(0) };
}

export const sessionOfRecalledKey = (keys: Keys, key: string): NodeId =>
  nodeId(leadingId(key.slice(keys.allRecalled().length))[0]);

export function archiveOfMessageKey(keys: Keys, key: string): [session: NodeId, archive: number] {
  const [session = "", archive = ""] = key.slice(keys.allMessages().length).split("/");
  return [nodeId(Number.parseInt(session, 36)), Number.parseInt(archive, 36)];
}

export function trashOfKey(keys: Keys, key: string): { owner: string; item: NodeId } {
  const rest = key.slice(keys.allTrash().length);
  return { owner: rest.slice(0, rest.indexOf("/")), item: nodeId(lastNumber(key)) };
}

export function snapshotOfKey(keys: Keys, key: string): { owner: string; name: string } {
  const [owner = "", name = ""] = key.slice(keys.allSnapshots().length).split("/");
  return { owner, name };
}

export function keptEntryParts(
  keys: Keys,
  key: string,
): { readonly directory: NodeId; readonly name: string; readonly number: number } {
  const [directory, rest] = leadingId(key.slice(keys.allKeptEntries().length));
  const end = rest.lastIndexOf(BETWEEN_ENDS);
  return {
    directory: nodeId(directory),
    name: rest.slice(0, end),
    number: Number.parseInt(rest.slice(end + 1), 36),
  };
}

export function granteeOfKey(keys: Keys, key: string): [node: NodeId, grantee: string] {
  const [node, grantee] = leadingId(key.slice(keys.allGrants().length));
  return [nodeId(node), grantee];
}

export function entryParts(keys: Keys, key: string): [directory: NodeId, name: string] {
  const [directory, name] = leadingId(key.slice(keys.allEntries().length));
  return [nodeId(directory), name];
}
