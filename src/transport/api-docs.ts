import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { loadOnce } from "../base/load-once.ts";
import type { Probe, ProbeAnswer } from "./probes.ts";
import { shared } from "./respond.ts";

/**
 * No external resources or targets, and no framing by other pages. Inline styles are allowed, because the
 * viewer sets them on its elements.
 */
const HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "public, max-age=3600",
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ctxdb API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="viewer"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** API keys that a visitor enters are kept only until the page is closed. */
const START = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of the viewer that are served, by name; its package contains more. */
const FILES: readonly (readonly [name: string, contentType: string])[] = [
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", SCRIPT],
];

const answer = (contentType: string, body: string | Uint8Array): ProbeAnswer => ({
  status: 200,
  contentType,
  headers: HEADERS,
  body,
});

/** The page for /openapi.json with its assets, by path. */
export function apiDocs(): readonly (readonly [path: string, probe: Probe])[] {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return [
    ["/docs", () => answer(HTML, PAGE)],
    ["/docs/start.js", () => answer(SCRIPT, START)],
    ...FILES.map(([name, type]) => [`/docs/${name}`, fileOnce(join(folder, name), type)] as const),
  ];
}

/** A file that is read on first use and cached; all responses share its bytes. */
function fileOnce(path: string, contentType: string): Probe {
  return loadOnce(async () => answer(contentType, shared(await readFile(path))));
}
