import { createHash } from "node:crypto";
import { STYLE } from "./style.ts";

/** Content of the page at `/`. */
export interface Welcome {
  readonly version: string;
  /** The server's address as seen by the visitor, such as `http://127.0.0.1:1933`. */
  readonly address: string;
  readonly keyed: boolean;
  /** Whether the server listens only on loopback. */
  readonly loopback: boolean;
  /** Such as `ctx`. */
  readonly uriScheme: string;
  /** Whether Studio is served. */
  readonly studio: boolean;
}

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** No scripts, one style by its hash, no external resources, no frames. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

type LinkText = readonly [path: string, name: string, about: string];

const STUDIO: LinkText = ["/studio", "Studio", "view, search and manage what is stored"];

const LINKS: readonly LinkText[] = [
  ["/docs", "API documentation", "every operation, to be tried here"],
  ["/openapi.json", "OpenAPI document", "for tools and generators"],
  ["/health", "Health", "whether the server runs"],
];

const keysOf = ({ keyed, loopback }: Welcome): string => {
  if (keyed) return "Calls need an API key.";
  return loopback
    ? "No API key is needed: only this machine can connect."
    : "No API key is needed: whoever reaches this server may do everything.";
};

/** Commands that can be pasted safely: the address has no shell metacharacters. */
function commands({
  address,
  keyed,
  uriScheme,
}: Welcome): readonly (readonly [name: string, lines: readonly string[]])[] {
  const setKey = keyed ? ["export CTXDB_API_KEY=YOUR_KEY"] : [];
  const post = (path: string, body: object): string[] => [
    `curl -s ${address}/api/v1/${path} \\`,
    ...(keyed ? ['  -H "X-API-Key: $CTXDB_API_KEY" \\'] : []),
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ];
  const uri = `${uriScheme}://resources/hello.md`;
  const file = { uri, content: "Green tea is brewed at 80 degrees.", mode: "create", wait: true };
  return [
    [
      "curl",
      [
        ...setKey,
        ...post("content/write", file),
        "",
        ...post("search/find", { query: "how hot is tea brewed?", limit: 1 }),
      ],
    ],
    [
      "the command line",
      [`export CTXDB_ADDRESS=${address}`, ...setKey, "ctxdb add ./docs", 'ctxdb find "how do I back up?"'],
    ],
  ];
}

/** The page as HTML; all values of `welcome` are escaped. */
export function welcomePage(welcome: Welcome): string {
  const links = welcome.studio ? [STUDIO, ...LINKS] : LINKS;
  const items = links.map(
    ([path, name, about]) => `<li><a href="${path}">${name}</a><span>${about}</span></li>`,
  );
  const blocks = commands(welcome).map(
    ([name, lines]) => `<h2>Try it with ${name}</h2>\n<pre><code>${escaped(lines.join("\n"))}</code></pre>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ctxdb ${escaped(welcome.version)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>ctxdb <small>${escaped(welcome.version)}</small></h1>
<p>A context database for AI agents: documents, skills, memories and sessions in one tree, found by meaning and by words.</p>
<p class="soft">The server is running at ${escaped(welcome.address)}. ${keysOf(welcome)}</p>
<nav aria-label="This server">
<ul>
${items.join("\n")}
</ul>
</nav>
${blocks.join("\n")}
<h2>Connect an agent</h2>
<p>Agents use it by MCP (Streamable HTTP) at <code>${escaped(`${welcome.address}/mcp`)}</code>${welcome.keyed ? ", with the key as <code>Authorization: Bearer</code>" : ""}.</p>
</main>
</body>
</html>
`;
}
