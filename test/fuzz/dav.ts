import type { Random } from "../crash/random.ts";
import { hostileHeader, type RestRequest } from "./requests.ts";
import { hostileText, mutated } from "./values.ts";

const METHODS = ["PROPFIND", "PROPPATCH", "LOCK", "UNLOCK", "MKCOL", "COPY", "MOVE", "PUT", "DELETE", "GET"];
/** Few names, so that requests hit the same nodes. */
const NAMES = ["a", "b", "c.md", "d e", "%00", "..", "%2e%2e", "%2f", "%ff", "ä", "\\", "*", "A".repeat(300)];
const DAV = 'xmlns:D="DAV:"';
const LOCK_INFO =
  `<D:lockinfo ${DAV}><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>` +
  "<D:owner>fuzz</D:owner></D:lockinfo>";

/** Bodies as clients send them, and bodies that would expand, nest or repeat without limit. */
const BODIES: readonly ((random: Random) => string)[] = [
  () => "",
  () => LOCK_INFO,
  () => LOCK_INFO.replace("shared", "exclusive"),
  () => LOCK_INFO.replace("fuzz", `<x:o xmlns:x="y">${"z".repeat(3000)}</x:o>`),
  () => `<D:propfind ${DAV}><D:allprop/></D:propfind>`,
  () => `<D:propfind ${DAV}><D:propname/></D:propfind>`,
  () => `<D:propfind ${DAV}><D:prop>${"<D:getetag/><x/>".repeat(40)}</D:prop></D:propfind>`,
  (random) =>
    `<D:propertyupdate ${DAV}><D:set><D:prop><p xmlns="u:${random.integer(0, 30)}">${"v".repeat(
      random.integer(0, 5000),
    )}</p></D:prop></D:set></D:propertyupdate>`,
  (random) =>
    `<D:propertyupdate ${DAV}><D:set><D:prop><p>${hostileText(random)}</p></D:prop></D:set></D:propertyupdate>`,
  () =>
    `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${[..."bcdefghij"]
      .map((name, i) => `<!ENTITY ${name} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`)
      .join("")}]><D:propfind ${DAV}>&j;</D:propfind>`,
  () => `<!DOCTYPE x SYSTEM "file:///etc/passwd"><D:propfind ${DAV}><D:allprop/></D:propfind>`,
  (random) => "<a>".repeat(random.integer(10, 20_000)),
  (random) => `<a ${Array.from({ length: random.integer(1, 6000) }, (_, i) => `b${i}="c"`).join(" ")}/>`,
  (random) => `<a>${"&#x41;&lt;".repeat(random.integer(1, 6000))}</a>`,
  (random) => `<a><![CDATA[${"]".repeat(random.integer(1, 60_000))}]]></a>`,
];

const URLS = [
  "http://127.0.0.1/dav/",
  "http://elsewhere.example/dav/",
  "//127.0.0.1/dav/",
  "/dav/",
  "/",
  "",
  "x:",
];

function place(random: Random): string {
  const names = Array.from({ length: random.integer(0, 4) }, () => random.pick(NAMES));
  return [
    random.pick(["resources", "resources", "resources", "user", "session", "agent", "x"]),
    ...names,
  ].join("/");
}

/** Header values are sent unchanged: none of them contains a line break. */
function headersOf(random: Random): Record<string, string> {
  const tokens = [
    "<ctxlock:AAAAAAAAAAAAAAAAAAAAAA>",
    "<DAV:no-lock>",
    "<>",
    "<",
    '["x"]',
    hostileHeader(random),
  ];
  return {
    ...(random.chance(0.6) && { Depth: random.pick(["0", "1", "infinity", "Infinity", "2", "-1", ""]) }),
    ...(random.chance(0.5) && { Destination: random.pick(URLS) + place(random) }),
    ...(random.chance(0.3) && {
      If: random.pick([
        `(${random.pick(tokens)})`,
        "(Not <a>)".repeat(random.integer(1, 800)),
        "((((",
        "<x> (<y>)",
      ]),
    }),
    ...(random.chance(0.3) && {
      Timeout: random.pick(["Second-1", "Infinite", `Second-${"9".repeat(90)}`, "x"]),
    }),
    ...(random.chance(0.2) && { "Lock-Token": random.pick(tokens) }),
    ...(random.chance(0.2) && { Overwrite: random.pick(["T", "F", "x"]) }),
    ...(random.chance(0.1) && { Range: hostileHeader(random), "If-Match": hostileHeader(random) }),
    ...(random.chance(0.05) && { "Content-Encoding": random.pick(["gzip", "x"]) }),
  };
}

/** Returns a WebDAV request below /dav. */
export function davRequest(random: Random): RestRequest {
  const method = random.pick(METHODS);
  const body = Buffer.from(method === "PUT" ? hostileText(random) : random.pick(BODIES)(random));
  return {
    method,
    path: `/dav/${place(random)}`.replaceAll(" ", "%20").replaceAll("ä", "%C3%A4"),
    headers: headersOf(random),
    body: random.chance(0.2) ? mutated(random, body) : body,
  };
}
