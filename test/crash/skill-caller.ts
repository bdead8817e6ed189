import { archiveOf } from "../support/archive.ts";
import { differences, isBelow, move, type Nodes, parentOf, put, remove } from "./model.ts";
import { find, isAmong, observe } from "./observe.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { type Answer, isOk, Rest, say } from "./rest.ts";
import { shortText } from "./texts.ts";

const SKILLS = "ctx://agent/skills";
const PACKED = "ctx://resources/packed";
const SOURCE = `${PACKED}/source`;
const MAX_SKILLS = 8;
const MAX_FILES = 12;
/** Folders into which packs are imported repeatedly. */
const PARENTS = 4;
const CONFLICTS = ["fail", "overwrite", "skip"] as const;
const SAMPLE = 3;

type SkillOperation = Operation<Nodes>;

/**
 * Adds, replaces and removes skills with additional files. Exports a folder or a skill as a pack and imports
 * it, also over existing nodes.
 */
export class SkillCaller extends Caller<Nodes> {
  state: Nodes = new Map<string, string | undefined>([
    [SKILLS, undefined],
    [PACKED, undefined],
    [SOURCE, undefined],
  ]);
  readonly #random: Random;
  readonly #key: string;
  /** The unique word of each document, and the description that must be the L0 of its skill. */
  readonly #words = new Map<string, string>();
  #rest = new Rest(0, {});
  #serial = 0;

  constructor(key: string, random: Random, complain: (what: string) => void) {
    super("skills", complain);
    this.#key = key;
    this.#random = random;
  }

  /** Creates the folder to export, once. */
  async begin(port: number): Promise<void> {
    this.connect(port);
    const answer = await this.#rest.post("/api/v1/fs/mkdir", { uri: SOURCE });
    if (!isOk(answer)) this.complain(`mkdir ${SOURCE}: ${say(answer)}`);
  }

  connect(port: number): void {
    this.#rest.close();
    this.#rest = new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
  }

  choose(): SkillOperation | undefined {
    const chance = this.#random.next();
    if (chance < 0.3) return this.#add();
    if (chance < 0.4) return this.#write();
    if (chance < 0.5) return this.#removeSkill();
    if (chance < 0.7) return this.#fill();
    if (chance < 0.75) return this.#rename();
    return this.#pack();
  }

  #below = (directory: string): string[] =>
    [...this.state.keys()].filter((uri) => parentOf(uri) === directory);

  #document(name: string): string {
    const { content, word } = shortText(this.#random);
    const document = `---\nname: ${name}\ndescription: Knows ${word}\n---\n\n${content}`;
    this.#words.set(document, word);
    return document;
  }

  /** Adds a skill, or replaces the one of the same name. */
  #add(): SkillOperation | undefined {
    const known = this.#below(SKILLS);
    const isNew = known.length < 2 || (known.length < MAX_SKILLS && this.#random.chance(0.4));
    const root = isNew ? `${SKILLS}/skill-${this.#serial++}` : this.#random.pick(known);
    const name = root.slice(SKILLS.length + 1);
    const files = new Map([["SKILL.md", this.#document(name)]]);
    for (let i = this.#random.integer(0, 4); i > 0; i--)
      files.set(
        this.#random.pick(["a.md", "b.txt", "sub/c.md", "sub/deep/d.md"]),
        shortText(this.#random).content,
      );
    let after = remove(this.state, root);
    for (const [path, content] of files) after = put(after, `${root}/${path}`, content);
    const send = async () =>
      this.#uploaded(await archiveOf(files), (temp_path) => this.#rest.post("/api/v1/skills", { temp_path }));
    return { name: `add ${name} (${files.size} files)`, send, after: () => after };
  }

  #write(): SkillOperation | undefined {
    const root = this.#random.pick(this.#below(SKILLS));
    if (!root) return undefined;
    const uri = `${root}/SKILL.md`;
    const content = this.#document(root.slice(SKILLS.length + 1));
    const send = () => this.#rest.post("/api/v1/content/write", { uri, content, mode: "replace" });
    return { name: `write ${uri}`, send, after: () => put(this.state, uri, content) };
  }

  #removeSkill(): SkillOperation | undefined {
    const known = this.#below(SKILLS);
    if (known.length < 3) return undefined;
    const root = this.#random.pick(known);
    const after = remove(this.state, root);
    const send = () => this.#rest.send("DELETE", `/api/v1/skills/${root.slice(SKILLS.length + 1)}`);
    return { name: `delete ${root}`, send, after: () => after };
  }

  #fill(): SkillOperation | undefined {
    const files = this.#below(SOURCE);
    if (files.length >= MAX_FILES) {
      const uri = this.#random.pick(files);
      const after = remove(this.state, uri);
      const path = `/api/v1/fs?${new URLSearchParams({ uri, recursive: "true" })}`;
      return { name: `rm ${uri}`, send: () => this.#rest.send("DELETE", path), after: () => after };
    }
    const uri = `${SOURCE}/${this.#random.chance(0.3) ? "sub/" : ""}file${this.#serial++}.md`;
    const { content } = shortText(this.#random);
    const send = () => this.#rest.post("/api/v1/content/write", { uri, content, mode: "create" });
    const after = put(this.state, uri, content);
    return { name: `create ${uri}`, send, after: () => after };
  }

  /** The imported nodes keep their content under another name. */
  #rename(): SkillOperation | undefined {
    const from = this.#random.pick(this.#parents().filter((uri) => this.state.has(uri)));
    if (!from) return undefined;
    const to = this.#random.pick(this.#parents());
    if (from === to) return undefined;
    const after = move(this.state, from, to);
    const send = () => this.#rest.post("/api/v1/fs/mv", { from_uri: from, to_uri: to });
    return { name: `mv ${from} ${to}`, send, after: () => after };
  }

  #parents = (): string[] => Array.from({ length: PARENTS }, (_, i) => `${PACKED}/in${i}`);

  /** Exports a folder and imports the pack; a skill is imported to its own place again. */
  #pack(): SkillOperation | undefined {
    const skill = this.#random.chance(0.3) ? this.#random.pick(this.#below(SKILLS)) : undefined;
    const from = skill ?? SOURCE;
    const parent = skill ? SKILLS : this.#random.pick(this.#parents());
    const root = `${parent}${from.slice(parentOf(from).length)}`;
    const isThere = this.state.has(root);
    // a call that must fail changes nothing and is not counted
    const on_conflict = this.#random.pick(CONFLICTS.filter((mode) => !isThere || mode !== "fail"));
    let after = this.state;
    if (!isThere || on_conflict === "overwrite") {
      after = remove(after, root);
      for (const [uri, content] of this.state)
        if (uri === from || isBelow(uri, from))
          after = put(after, `${root}${uri.slice(from.length)}`, content);
    }
    const include_vectors = this.#random.chance(0.5);
    const send = async () => {
      const pack = await this.#rest.bytes("/api/v1/pack/export", { uri: from, include_vectors });
      if (!(pack instanceof Uint8Array)) return pack;
      return this.#uploaded(pack, (temp_path) =>
        this.#rest.post("/api/v1/pack/import", { temp_path, parent, on_conflict }),
      );
    };
    return { name: `pack ${from} into ${parent} (${on_conflict})`, send, after: () => after };
  }

  async #uploaded(bytes: Uint8Array, then: (path: string) => Promise<Answer>): Promise<Answer> {
    const sent = await this.#rest.upload("sent.zip", bytes);
    return isOk(sent) ? then((sent.result as { temp_path: string }).temp_path) : sent;
  }

  /**
   * Compares all content byte for byte, and the layers and words of some skills. The queues must be empty.
   */
  async check(): Promise<void> {
    const complain = (what: string) => this.complain(what);
    const found = await observe(this.#rest, [SKILLS, PACKED], () => true, complain);
    this.resolve((state) => differences(state, found));
    for (const root of this.#random.sample(this.#below(SKILLS), SAMPLE)) {
      const content = this.state.get(`${root}/SKILL.md`)!;
      const word = this.#words.get(content)!;
      const answer = await this.#rest.get("/api/v1/content/abstract", { uri: root });
      if (answer.result !== `Knows ${word}`)
        complain(`the L0 of ${root} is not of its document: ${say(answer)}`);
      const hits = await find(this.#rest, word, complain);
      const text = { content, word };
      if (!isAmong(hits, `${root}/SKILL.md`, text) && !hits.some(({ uri }) => uri === root))
        complain(`${word} does not find ${root}`);
    }
  }
}
