import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { Random } from "../crash/random.ts";

const MAX_DEPTH = 6;

const STRINGS: readonly string[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "..",
  "../../etc/passwd",
  "/etc/passwd",
  "ctx://",
  "ctx://resources",
  "ctx://resources/notes/a.md",
  "ctx://user/../other",
  "ctx://session/x/../../user",
  `ctx://resources/${"a/".repeat(80)}b`,
  `ctx://resources/${"%2e%2e/".repeat(10)}`,
  "ctx://resources/%00",
  "ctx://resources/\u202eexe.md",
  "viking://resources",
  "http://127.0.0.1:1/",
  "file:///etc/passwd",
  "\ud800",
  "\u{1f600}".repeat(100),
  "a".repeat(5000),
  "(".repeat(200),
  "((a+)+)+$",
  "[[:alpha:]]{1,999}",
  "**/".repeat(60),
  "{a,{b,{c,{d}}}}",
  "!".repeat(3000),
  "null",
  "true",
  "-1",
  "1e999",
  "__proto__",
  "constructor",
  "<script>alert(1)</script>",
  "'; DROP TABLE x; --",
  "2026-02-30T99:99:99Z",
  "你好世界",
];

const NUMBERS: readonly unknown[] = [
  0,
  1,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  1e308,
  -0,
  "NaN",
  "Infinity",
  "1e3",
];

const WRONG: readonly unknown[] = [null, true, 7, "text", [], {}, [[]], { a: { b: [1] } }, [null], -1.5];

export const hostileText = (random: Random): string => random.pick(STRINGS);

/** Returns a plausible value for a field name, so that requests pass the first checks. */
function plausible(random: Random, name: string): string {
  if (/uri/.test(name))
    return random.pick([
      "ctx://resources",
      "ctx://resources/notes",
      "ctx://resources/notes/a.md",
      "ctx://user",
    ]);
  if (/role/.test(name)) return random.pick(["user", "assistant"]);
  if (/mode/.test(name)) return random.pick(["create", "replace", "append"]);
  if (/pattern/.test(name)) return random.pick(["*.md", "owl", "**/*", "o.l"]);
  if (/session/.test(name)) return "monday";
  if (/content|query|text/.test(name)) return `owls and ${random.word()}`;
  return random.word();
}

function scalar(random: Random, field: DescField): unknown {
  if (random.chance(0.05)) return random.pick(WRONG);
  if (field.fieldKind === "enum") return random.integer(-1, 9);
  const type = field.scalar;
  if (type === ScalarType.BOOL) return random.chance(0.5);
  if (type === ScalarType.STRING)
    return random.chance(0.6) ? plausible(random, field.name) : hostileText(random);
  if (type === ScalarType.BYTES) return Buffer.from(hostileText(random)).toString("base64");
  return random.chance(0.5) ? random.integer(0, 50) : random.pick(NUMBERS);
}

/**
 * Returns a JSON request of a message type, mostly well-formed but with wrong and hostile values in between.
 */
export function jsonOf(random: Random, message: DescMessage, depth = 0): unknown {
  if (depth > MAX_DEPTH) return {};
  if (message.typeName === "google.protobuf.Value")
    return random.chance(0.5) ? hostileText(random) : random.pick(WRONG);
  if (message.typeName === "google.protobuf.Struct")
    return { [random.word()]: random.pick(WRONG), op: "must", field: "kind", conds: ["file"] };
  const json: Record<string, unknown> = {};
  for (const field of message.fields) {
    if (random.chance(0.45)) continue;
    json[field.name] = fieldValue(random, field, depth);
  }
  if (random.chance(0.05)) json[hostileText(random)] = random.pick(WRONG);
  return json;
}

function fieldValue(random: Random, field: DescField, depth: number): unknown {
  if (random.chance(0.03)) return random.pick(WRONG);
  const many = random.integer(0, random.chance(0.05) ? 300 : 3);
  const { message } = field;
  if (field.fieldKind === "list")
    return Array.from({ length: many }, () =>
      message ? jsonOf(random, message, depth + 1) : hostileText(random),
    );
  if (field.fieldKind === "map") return { [hostileText(random)]: random.pick(WRONG) };
  return message ? jsonOf(random, message, depth + 1) : scalar(random, field);
}

/** Flips, cuts, repeats and inserts bytes a few times. */
export function mutated(random: Random, bytes: Buffer): Buffer {
  let out = Buffer.from(bytes);
  for (let i = random.integer(0, 4); i > 0; i--) {
    const at = random.integer(0, out.length);
    const kind = random.integer(0, 4);
    if (kind === 0 && out.length > 0) out[Math.min(at, out.length - 1)] = random.integer(0, 255);
    else if (kind === 1) out = out.subarray(0, at);
    else if (kind === 2) out = Buffer.concat([out, out.subarray(at)]);
    else if (kind === 3)
      out = Buffer.concat([
        out.subarray(0, at),
        Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]),
        out.subarray(at),
      ]);
    else
      out = Buffer.concat([
        out.subarray(0, at),
        Buffer.alloc(random.integer(1, 64), random.integer(0, 255)),
        out.subarray(at),
      ]);
  }
  return out;
}
