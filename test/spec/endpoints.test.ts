import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS, type Endpoint, PROBES } from "./endpoints.ts";
import { faultsOf } from "./shape.ts";
import { type Answer, World } from "./world.ts";

const labelled = (rows: readonly Endpoint[]) =>
  rows.map((row) => [`${row.call} ${Object.keys(row.send ?? {}).join(" ")}`.trim(), row] as const);
const titled = labelled(ENDPOINTS);

/** Scores decrease with the age of hits, from one call to the next by less than a millionth. */
const unheated = (result: unknown): unknown =>
  JSON.parse(JSON.stringify(result), (key, value) => (key === "score" ? Math.round(value * 1e5) : value));

describe("an endpoint", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  /** Builds the row's request with these fields; `<words>` have been replaced. */
  function request(
    { call, as = "user" }: Pick<Endpoint, "call" | "as">,
    send: Endpoint["send"],
  ): Promise<Answer> {
    if (call.endsWith("temp_upload")) {
      const form = new FormData();
      for (const [name, text] of Object.entries(send ?? {}))
        form.set(name, new Blob([String(text)]), "a.txt");
      if (!send || Object.keys(send).length === 0) form.set("other", "x");
      return world.call(as, call, form);
    }
    const isQuery = /^(GET|DELETE fs)/.test(call);
    const query =
      isQuery && send
        ? `?${new URLSearchParams(Object.entries(send).map(([key, value]): [string, string] => [key, String(value)]))}`
        : "";
    return world.call(as, call + query, isQuery ? undefined : send);
  }

  it.each(titled)("the endpoint %s responds as specified", async (_, row) => {
    const { call, send } = await world.filled({ call: row.call, send: row.send });
    const { http, status, result, time, error } = await request({ ...row, call }, send);
    expect([http, error]).toEqual([200, undefined]);
    expect(faultsOf(result, row.result)).toEqual([]);
    // answers in bytes have no envelope
    if (!/content\/download|pack\/export/.test(call))
      expect([status, Number(time) >= 0]).toEqual(["ok", true]);
  });

  const required = ENDPOINTS.flatMap((row) =>
    (row.required ?? []).map((field) => [row.call, field, row] as const),
  );
  it.each(required)("the endpoint %s needs the field %s", async (_, field, row) => {
    const { call, send } = await world.filled({ call: row.call, send: row.send });
    const { [field]: _missing, ...rest } = send!;
    const { http, status, error } = await request({ ...row, call }, rest);
    expect([http, status, error?.code, (error?.details as { field?: string })?.field]).toEqual([
      400,
      "error",
      "INVALID_ARGUMENT",
      field,
    ]);
  });

  it.each(labelled(ENDPOINTS.filter(({ defaults }) => defaults)))(
    "the endpoint %s uses its defaults for omitted fields",
    async (_, row) => {
      const { call, send } = await world.filled({ call: row.call, send: row.send });
      // layers that are generated meanwhile would be in only one of the answers
      if (row.reads) await world.done("POST system/wait", {});
      const said = await request({ ...row, call }, { ...send, ...row.defaults });
      expect([said.http, faultsOf(said.result, row.result)]).toEqual([200, []]);
      if (row.reads)
        expect(unheated((await request({ ...row, call }, send)).result)).toEqual(unheated(said.result));
    },
  );

  it.each([...new Set(ENDPOINTS.map(({ call }) => call))])("the endpoint %s needs a key", async (call) => {
    const filled = call.replace(/<[a-z]+>/g, "x");
    const wrong: Record<string, string>[] = [
      { "X-API-Key": "" },
      { "X-API-Key": "wrong" },
      { "X-API-Key": "", Authorization: "Basic x" },
    ];
    for (const headers of wrong) {
      const answer = await world.call("nobody", filled, undefined, headers);
      expect([answer.http, answer.error?.code]).toEqual([401, "UNAUTHENTICATED"]);
    }
  });

  it.each(PROBES.map((row) => [row.path, row] as const))(
    "the probe /%s responds without a key or envelope",
    async (path, { answer }) => {
      const response = await fetch(`http://127.0.0.1:${world.server.port}/${path}`);
      expect([response.status, faultsOf(await response.json(), answer)]).toEqual([200, []]);
    },
  );
});
