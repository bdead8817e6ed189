import { createHash } from "node:crypto";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { ROOT_KEY, serve } from "../../support/served.ts";
import { openTiny } from "./tiny-server.ts";

interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function ask(port: number, headers: Record<string, string>, method = "GET"): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: "/", method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on("error", reject).end();
  });
}

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const ESCAPED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};
const plain = (html: string) => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (found) => ESCAPED[found] ?? found);

describe("GET /", () => {
  it("GET / serves browsers a page without scripts and with only its own style", async () => {
    const server = await openTiny();
    const { status, headers, text } = await ask(server.port, BROWSER);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = String(headers["content-security-policy"]);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}';`);
    expect(policy).toContain("default-src 'none'; ");
    expect(policy).not.toMatch(/unsafe|script-src|https?:|\*/);
    expect(text).not.toMatch(/<script|style="|\son\w+=|javascript:/i);
    expect(text).toContain('<html lang="en">');
    for (const path of [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, found]) => found))
      expect([path, (await fetch(`http://127.0.0.1:${server.port}${path}`)).status]).toEqual([path, 200]);
    await server.close(0);
  });

  it("GET / returns JSON with the links of the page to clients that are not browsers", async () => {
    const server = await openTiny();
    for (const accept of [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "text/htmlx" },
    ] as Record<string, string>[]) {
      const { status, headers, text } = await ask(server.port, accept);
      expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
      expect(JSON.parse(text)).toMatchObject({
        name: "ctxdb",
        version: "0.0.1",
        keys: "required",
        links: { docs: "/docs", mcp: "/mcp" },
      });
    }
    expect((await ask(server.port, BROWSER, "HEAD")).text).toBe("");
    expect((await ask(server.port, BROWSER, "POST")).status).toBe(405);
    await server.close(0);
  });

  it("GET / shows the host name but no other text of the request", async () => {
    const server = await openTiny();
    const shown = async (host: string, more: Record<string, string> = {}) => {
      const { text } = await ask(server.port, { ...BROWSER, host, ...more });
      return /running at ([^ ]*)\. /.exec(text)?.[1];
    };
    expect(await shown("ctx.example:8080")).toBe("http://ctx.example:8080");
    expect(await shown("[::1]:1933", { "x-forwarded-proto": "https" })).toBe("https://[::1]:1933");
    const own = `http://127.0.0.1:${server.port}`;
    const hostile = [
      "<script>alert(1)</script>",
      'x"onclick="y',
      "a b",
      "$(reboot)",
      "`id`",
      "x;reboot",
      "x'y",
      "-x",
      "a&b",
      "x/../y",
      "x@y",
      "x".repeat(300),
    ];
    for (const host of hostile) expect([host, await shown(host)]).toEqual([host, own]);
    const { text } = await ask(server.port, {
      ...BROWSER,
      "x-forwarded-host": "<b>",
      "x-forwarded-proto": "<i>",
      "x-request-id": "<u>",
      referer: "<s>",
    });
    expect(text).not.toMatch(/<[bius]>/);
    expect(text).toContain(`http://localhost:${server.port}. `);
    await server.close(0);
  });

  it.each([true, false])(
    "the commands on the page of GET / run exactly as printed; with a key: %s",
    async (keyed) => {
      const served = await serve(keyed ? {} : { CTXDB_ROOT_API_KEY: undefined });
      const { text } = await ask(served.port, { ...BROWSER, host: `127.0.0.1:${served.port}` });
      expect(text).toContain(
        keyed ? "Calls need an API key." : "No API key is needed: only this machine can connect.",
      );
      const code = plain(/<code>([\s\S]*?)<\/code>/.exec(text)?.[1] ?? "");
      const calls = [...code.matchAll(/^curl -s (\S+) \\\n([\s\S]*?)-d '(.*)'$/gm)];
      expect(calls).toHaveLength(2);
      const answers = [];
      for (const [, url, options, body] of calls) {
        const headers = [...options!.matchAll(/-H (["'])([^:]+): (.*)\1/g)].map(
          ([, , name, value]) => [name, value!.replace("$CTXDB_API_KEY", ROOT_KEY)] as [string, string],
        );
        const answer = await fetch(url!, { method: "POST", headers, body: body! });
        expect([url, answer.status, answer.headers.get("warning")]).toEqual([url, 200, null]);
        answers.push(await answer.json());
      }
      expect(answers[1]).toMatchObject({ result: { resources: [{ uri: "ctx://resources/hello.md" }] } });
      await served.close();
    },
  );
});
