import { type DescField, type DescMethodUnary, ScalarType } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICES } from "../../src/transport/services.ts";
import { type Client, clientsOf } from "../conformance/wire/clients.ts";
import { genericRequest } from "../support/generic-request.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

/** The repeated part of a hostile text, and the prefix before it. */
const UNITS = [...'/?. \n\t*([{"aé哈\\%-_,:@=#1<|'.split(""), "a ", "a,", "a.", "a/", "../", "- "];
const BEFORE = ["", "/", "ctx://resources/", "https://a.test/"];
const PLACES = /uri|path|to|parent|project|target/;
/** Lengths in UTF-16 units; the CPU time is measured for the larger ones. */
const [SMALL, LARGE] = [25_000, 100_000];
/** Times below this (in ms of CPU) delay nobody else noticeably and are not compared. */
const SHORT_MS = 40;
/** Every third text, other ones for the next field; all of them with GROWTH_TEXTS=all. */
const EVERY = process.env.GROWTH_TEXTS === "all" ? 1 : 3;
/** Number of attempts before a text counts as slow. */
const MAX_TRIES = 6;
/**
 * A doubling may increase the time by a factor of 2.5 (see growth.ts); quadratic code would need 16 times as
 * much here.
 */
const ALLOWED = 2.5 ** Math.log2(LARGE / SMALL);

const holdsText = (field: DescField): boolean =>
  ((field.fieldKind === "scalar" || (field.fieldKind === "list" && field.listKind === "scalar")) &&
    field.scalar === ScalarType.STRING) ||
  (field.fieldKind === "message" && field.message.typeName === "google.protobuf.Value");

const FIELDS = SERVICES.flatMap((service) => service.methods).flatMap((method) =>
  method.methodKind === "unary"
    ? method.input.fields.filter(holdsText).map((field) => ({ method: method as DescMethodUnary, field }))
    : [],
);

describe("a long text in a request", () => {
  let server: Served;
  let client: Client;
  beforeAll(async () => {
    server = await serve({ CTXDB_URL_ALLOW_PRIVATE: "true" });
    client = clientsOf(server.port).find(({ name }) => name.startsWith("Connect JSON"))!;
    await server.rest(ROOT_KEY, "POST content/write", {
      uri: "ctx://resources/a/b.md",
      content: "# A\n\nThe walrus is here.",
      mode: "create",
      wait: true,
    });
    await server.rest(ROOT_KEY, "POST sessions", { session_id: "s1" });
  });
  afterAll(() => server.close());

  const own = {
    uri: "ctx://resources/a",
    session: "s1",
    task: "none",
    upload: "none",
    account: "none",
    user: "none",
    memory: "none",
    webhook: "none",
    trash: "none",
  };

  async function cpuOf({ method, field }: (typeof FIELDS)[number], text: string): Promise<number> {
    const { timeout: _, ...request } = genericRequest(method, own);
    const value = field.fieldKind === "list" ? [text] : text;
    const before = process.cpuUsage();
    await client.call(method, { ...request, [field.name]: value }, { "x-api-key": ROOT_KEY });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  /**
   * The CPU time without the share that jobs of earlier calls and garbage collection add to some attempts.
   */
  async function leastCpuOf(of: (typeof FIELDS)[number], text: string): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < MAX_TRIES && least > SHORT_MS; tries++)
      least = Math.min(least, await cpuOf(of, text));
    return least;
  }

  it.each(
    FIELDS.map(
      (of, index) => [`${of.method.parent.name}.${of.method.name}`, of.field.name, of, index] as const,
    ),
  )(
    "a long text in %s as %s takes CPU time in proportion to its length, whatever it contains",
    async (_, name, of, index) => {
      const slow: string[] = [];
      for (const [row, before] of (PLACES.test(name) ? BEFORE : [""]).entries())
        for (const unit of UNITS.filter((_, at) => (index + row + at) % EVERY === 0)) {
          const textOf = (length: number) => `${before}${unit.repeat(length / unit.length)} x`;
          const least = await leastCpuOf(of, textOf(LARGE));
          if (least <= SHORT_MS) continue;
          const small = Math.max(SHORT_MS / ALLOWED, await cpuOf(of, textOf(SMALL)));
          if (least > small * ALLOWED) slow.push(`${JSON.stringify(before + unit)}: ${small} → ${least} ms`);
        }
      expect(slow).toEqual([]);
    },
  );
});
