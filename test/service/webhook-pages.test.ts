import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { TYPESCRIPT_LOADER } from "../../src/base/processes/child-process.ts";
import { newSecret, signedHeaders } from "../../src/service/webhook/signature.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/webhooks.md", import.meta.url)), "utf8");
const run = promisify(execFile);

function blockOf(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`docs/webhooks.md shows no ${language}`);
  return text;
}

interface Case {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly secret: string;
}

/** Programs that read a case as JSON from their argument and print true or false. */
const PROGRAMS = {
  typescript: {
    file: "check.ts",
    command: [process.execPath, ...TYPESCRIPT_LOADER],
    end: "\nconst { headers, body, secret } = JSON.parse(process.argv[2]);\nconsole.log(isGenuine(headers, body, secret));\n",
  },
  python: {
    file: "check.py",
    command: ["python3"],
    end: '\nimport json, sys\none = json.loads(sys.argv[1])\nprint(str(is_genuine(one["headers"], one["body"].encode(), one["secret"])).lower())\n',
  },
} as const;

describe.each(["typescript", "python"] as const)("the check of signatures in %s on the page", (language) => {
  const secret = newSecret();
  const body = '{"type":"changes","data":{"changes":[{"uri":"ctx://resources/Grüße.md"}]}}';
  const headersAt = (now: number, secrets = [secret]) =>
    signedHeaders(secrets, "msg_1", Buffer.from(body), now);

  async function answerOf(one: Case): Promise<string> {
    const folder = await temporaryFolder();
    const { file, command, end } = PROGRAMS[language];
    const [program = "", ...args] = command;
    await writeFile(join(folder.path, file), blockOf(language) + end);
    const { stdout } = await run(program, [...args, join(folder.path, file), JSON.stringify(one)]);
    await folder.remove();
    return stdout.trim();
  }

  it("the documented signature check accepts a message of the server, even with two signatures", async () => {
    expect(await answerOf({ headers: headersAt(Date.now()), body, secret })).toBe("true");
    const headers = headersAt(Date.now(), [newSecret(), secret]);
    expect(await answerOf({ headers, body, secret })).toBe("true");
  });

  it("the documented signature check refuses a changed body, another secret and an old message", async () => {
    const headers = headersAt(Date.now());
    expect(await answerOf({ headers, body: `${body} `, secret })).toBe("false");
    expect(await answerOf({ headers, body, secret: newSecret() })).toBe("false");
    expect(await answerOf({ headers: headersAt(Date.now() - 600_000), body, secret })).toBe("false");
  });
});
