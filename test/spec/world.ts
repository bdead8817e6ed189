import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export type Role = "root" | "admin" | "user" | "nobody";

/** An answer: the HTTP status and the envelope. */
export type Answer = Awaited<ReturnType<Served["rest"]>> & {
  readonly status?: string;
  readonly time?: number;
};

export const TEXT = "# Otters\n\nThe otter swims in the river.\n";
export const SKILL = "---\nname: CSV cleaner\ndescription: Cleans messy exports\n---\n\n# CSV\n";

/** One server with two accounts, and a new subject for each `<word>` in a table row. */
export class World {
  readonly server: Served;
  readonly keys: Readonly<Record<Role, string>>;
  readonly #folder: string;
  readonly #close: () => Promise<void>;
  #made = 0;

  private constructor(server: Served, keys: World["keys"], folder: string, close: () => Promise<void>) {
    this.server = server;
    this.keys = keys;
    this.#folder = folder;
    this.#close = close;
  }

  static async open(): Promise<World> {
    const folder = await temporaryFolder();
    const server = await serve({ CTXDB_LOCAL_PATHS: folder.path });
    const asRoot = async (call: string, body: object) =>
      (await server.rest(ROOT_KEY, call, body)).result as { user_key: string };
    const { user_key: admin } = await asRoot("POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    const { user_key: user } = await asRoot("POST admin/accounts/acme/users", { user_id: "bob" });
    await asRoot("POST admin/accounts", { account_id: "other", admin_user_id: "eve" });
    return new World(server, { root: ROOT_KEY, admin, user, nobody: "" }, folder.path, async () => {
      await server.close();
      await folder.remove();
    });
  }

  close(): Promise<void> {
    return this.#close();
  }

  call(role: Role, call: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
    return this.server.rest(this.keys[role], call, body, headers);
  }

  /** Calls as the user and expects success. */
  async done<T = unknown>(call: string, body?: object, role: Role = "user"): Promise<T> {
    const { http, result, error } = await this.call(role, call, body);
    if (http !== 200) throw new Error(`${call}: ${error?.code} ${error?.message}`);
    return result as T;
  }

  async upload(content: string | Uint8Array, name: string): Promise<string> {
    const form = new FormData();
    form.set("file", new Blob([typeof content === "string" ? content : new Uint8Array(content)]), name);
    return (await this.done<{ temp_path: string }>("POST resources/temp_upload", form)).temp_path;
  }

  async #exported(uri: string): Promise<Uint8Array> {
    const answer = await fetch(`http://127.0.0.1:${this.server.port}/api/v1/pack/export`, {
      method: "POST",
      headers: { "X-API-Key": this.keys.user, "Content-Type": "application/json" },
      body: JSON.stringify({ uri }),
    });
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** Replaces every `<word>` in texts with a newly created subject, the same one for the same word. */
  async filled<T>(row: T): Promise<T> {
    const text = JSON.stringify(row);
    let filled = text;
    const n = this.#made++;
    for (const word of new Set([...text.matchAll(/<([a-z-]+)>/g)].map(([, found]) => found!)))
      filled = filled.replaceAll(`<${word}>`, await this.#subject(word, n));
    return JSON.parse(filled);
  }

  async #subject(word: string, n: number): Promise<string> {
    const directory = `ctx://resources/rows/${n}`;
    const create = (uri: string) =>
      this.done("POST content/write", { uri, content: TEXT, mode: "create", wait: true });
    switch (word) {
      case "name":
        return `name-${n}`;
      case "new":
        return `${directory}/new`;
      case "file":
        await create(`${directory}/file.md`);
        return `${directory}/file.md`;
      case "directory":
        await create(`${directory}/dir/inner.md`);
        return `${directory}/dir`;
      case "session": {
        const { session_id } = await this.done<{ session_id: string }>("POST sessions");
        await this.done(`POST sessions/${session_id}/messages`, { role: "user", content: "I live in Oslo." });
        return session_id;
      }
      case "task": {
        const { task_id } = await this.done<{ task_id: string }>("POST resources", {
          temp_path: await this.upload(TEXT, `task-${n}.md`),
        });
        return task_id;
      }
      case "skill":
        await this.done("POST skills", { data: SKILL.replace("CSV cleaner", `skill-${n}`), wait: true });
        return `skill-${n}`;
      case "upload":
        return this.upload(TEXT, `upload-${n}.md`);
      case "pack":
        await create(`${directory}/packed/a.md`);
        return this.upload(await this.#exported(`${directory}/packed`), "p.zip");
      case "path":
        await mkdir(join(this.#folder, `path-${n}`));
        await writeFile(join(this.#folder, `path-${n}`, "a.md"), TEXT);
        return join(this.#folder, `path-${n}`);
      case "account":
        await this.done("POST admin/accounts", { account_id: `account-${n}`, admin_user_id: "ann" }, "root");
        return `account-${n}`;
      case "member":
        await this.done("POST admin/accounts/acme/users", { user_id: `member-${n}` }, "root");
        return `member-${n}`;
      case "other-member":
        await this.done("POST admin/accounts/other/users", { user_id: `member-${n}` }, "root");
        return `member-${n}`;
      default:
        throw new Error(`nothing is called <${word}>`);
    }
  }
}
