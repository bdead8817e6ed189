import { entropyOf } from "./entropy.ts";

/** A span of a text, without context. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Rule for secrets that are recognised by the surrounding text, such as the name they are assigned to. */
export interface ContextRule {
  readonly kind: string;
  /** Texts that precede the secret, in lower case; matching ignores case. */
  readonly anchors: readonly string[];
  /** Finds the secret after the anchor at `at`. Runs in constant time. */
  readonly find: (text: string, at: number) => SecretSpan | undefined;
}

/** Maximum characters of a private key with its first and last line; a key of 16,384 bits has 12,800. */
const MAX_PEM = 16 * 1024;
/** Minimum length of the content after the first line of a private key. */
const MIN_PEM_BODY = 64;
const PEM_BEGIN = /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const PEM_END = /-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The body of a key without its last line; `\n` may be an escape sequence. */
const PEM_BODY = /[A-Za-z0-9+/=\s\\]{64,16000}/y;
const PEM_DATA = /[A-Za-z0-9+/]{40}/;

const URL_PASSWORD = /:\/\/([^\s:@/?#'"<>`\\]{0,100}):([^\s:@/?#'"<>`\\{}$]{6,200})@[\w.-]/y;

const AUTHORIZATION =
  /authorization["']?[ \t]{0,4}[:=,][ \t]{0,4}["']?(?:(?:bearer|token)[ \t]{1,4}([\w~+/.=-]{20,2000})|basic[ \t]{1,4}([a-z0-9+/]{12,500}={0,2}))/iy;

/** Matches the text between a name and its assigned value. */
const ASSIGNED = `[\\w.-]{0,20}["']?\\]?[ \\t]{0,8}(?:=>|:=|=|:)[ \\t]{0,8}`;
const QUOTED = `(?:"([^"\\s\\\\]{8,200})"|'([^'\\s\\\\]{8,200})')`;
/** An unquoted value must be followed by the end of the line. */
const BARE = "([^\\s\"'`<>(){}\\[\\],;$%\\\\*|]{8,200})[ \\t]{0,4}(?=[\\r\\n]|$)";
const PASSWORD = new RegExp(`pass(?:word|wd|phrase)${ASSIGNED}(?:${QUOTED}|${BARE})`, "iy");
const KEY = new RegExp(
  `(?:secret|token|credential|(?:api|access|private|secret|account|encryption|signing|auth)[_.-]?key)${ASSIGNED}(?:${QUOTED}|${BARE})`,
  "iy",
);

/** Words that occur in placeholders for secrets. */
const PLACEHOLDER =
  /exampl|sample|dummy|placehold|change|replace|insert|your|xxx|\.\.\.|todo|none|null|undef|true|false|redact|foo|bar|1234|abcd|lorem|secret|passw|pwd|token|key|test|fake|mock|demo|hunter2|correct.?horse|s3cr3t|user|admin|default|value|string|hidden|process|environ|config|[<>{}$%*]/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const HEX = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const RANDOM = /^[\w+/=~.-]{16,200}$/;

const FILE_PATH = /^[\w.-]+(?:\/[\w.-]+)+$/;

/**
 * Whether a value looks like a password: it has digits and two of lower case, upper case and others, and is
 * neither a placeholder nor a path.
 */
function isPassword(value: string): boolean {
  if (PLACEHOLDER.test(value) || FILE_PATH.test(value)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((one) => one.test(value)).length;
  return classes >= 3 && /\d/.test(value) && entropyOf(value) >= 2.8;
}

/** Whether a value looks random: neither words, nor a program identifier, nor an id. */
function isRandom(value: string): boolean {
  if (!RANDOM.test(value) || UUID.test(value) || PLACEHOLDER.test(value)) return false;
  if (HEX.test(value)) return entropyOf(value) >= 3;
  const changes = value.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0;
  return changes >= 3 && entropyOf(value) >= 3.6;
}

const isBasic = (value: string): boolean => {
  const [user, password] = Buffer.from(value, "base64").toString("latin1").split(":", 2);
  return user !== undefined && password !== undefined && isPassword(password);
};

export const CONTEXT_RULES: readonly ContextRule[] = [
  { kind: "private-key", anchors: ["-----begin"], find: privateKey },
  {
    kind: "url-password",
    anchors: ["://"],
    find: (text, at) => {
      const [match, , password] = matchAt(URL_PASSWORD, text, at) ?? [];
      if (match === undefined || password === undefined || !isPassword(password)) return undefined;
      const end = at + match.length - 2;
      return { start: end - password.length, end };
    },
  },
  {
    kind: "authorization-header",
    anchors: ["authorization"],
    find: (text, at) => {
      const [match, bearer, basic] = matchAt(AUTHORIZATION, text, at) ?? [];
      if (match === undefined) return undefined;
      const isFound = bearer === undefined ? isBasic(basic ?? "") : isRandom(bearer);
      const end = at + match.length;
      return isFound ? { start: end - (bearer ?? basic ?? "").length, end } : undefined;
    },
  },
  { kind: "password", anchors: ["passw", "passphrase"], find: assigned(PASSWORD, isPassword) },
  {
    kind: "generic-api-key",
    anchors: [
      "secret",
      "token",
      "credential",
      "api",
      "access",
      "private",
      "account",
      "encryption",
      "signing",
      "auth",
    ],
    find: assigned(KEY, isRandom),
  },
];

function assigned(pattern: RegExp, isSecret: (value: string) => boolean): ContextRule["find"] {
  return (text, at) => {
    const [match, double, single, bare] = matchAt(pattern, text, at) ?? [];
    const value = double ?? single ?? bare;
    if (match === undefined || value === undefined || !isSecret(value)) return undefined;
    const start = at + match.lastIndexOf(value);
    return { start, end: start + value.length };
  };
}

function privateKey(text: string, at: number): SecretSpan | undefined {
  const [begin] = matchAt(PEM_BEGIN, text, at) ?? [];
  if (begin === undefined) return undefined;
  const body = at + begin.length;
  PEM_END.lastIndex = body;
  const end = PEM_END.exec(text.slice(0, at + MAX_PEM));
  if (!end) {
    const [rest = ""] = matchAt(PEM_BODY, text, body) ?? [];
    return PEM_DATA.test(rest) ? { start: at, end: body + rest.trimEnd().length } : undefined;
  }
  const isLong = end.index - body >= MIN_PEM_BODY && PEM_DATA.test(text.slice(body, end.index));
  return isLong ? { start: at, end: end.index + end[0].length } : undefined;
}

/** Matches a sticky pattern at a position. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
