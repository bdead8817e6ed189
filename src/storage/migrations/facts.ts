import { CURSOR_KEY_BYTES } from "../../domain/cursor.ts";
import type { Kv } from "../kv.ts";
import type { Migration } from "../migration.ts";
import { encodeRecord, isList, objects } from "../record-codec.ts";

/** Key of the server's token counts in format 1: stored like an account's record, but without an account. */
const SERVER_TOKENS = "at/0000000";
const CURSOR_KEY = "s/cursor";

interface ModelTokens {
  readonly provider: string;
  readonly model: string;
  readonly prompt: number;
  readonly completion: number;
  readonly updatedAt: number;
}

const TOKENS = objects<{ readonly models: readonly ModelTokens[] }>("token count", ({ models }) =>
  isList(models),
);

/** Format 2: data of the whole server is a fact `m/<fact>`, separate from account records. */
export const FACTS: Migration = {
  what: "moves the server's token counts and its cursor key to records of their own",
  run: async ({ kv }) => {
    const models = TOKENS.read(kv, SERVER_TOKENS)?.models;
    const key = kv.get(CURSOR_KEY);
    if (models) await move(kv, SERVER_TOKENS, "m/tokens", tallyOf(models));
    if (key?.byteLength === CURSOR_KEY_BYTES)
      await move(kv, CURSOR_KEY, "m/cursor", Buffer.from(key).toString("base64"));
  },
};

/** Writes the new record first, so that the move can be repeated until the old record is gone. */
async function move(kv: Kv, from: string, to: string, value: unknown): Promise<void> {
  for (const op of [
    { key: to, value: encodeRecord(value) },
    { key: from, value: undefined },
  ])
    await kv.transact(() => ({ ops: [op], apply: () => undefined }));
}

function tallyOf(models: readonly ModelTokens[]) {
  const sums: Record<string, number> = {};
  const highest: Record<string, number> = {};
  for (const { provider, model, prompt, completion, updatedAt } of models) {
    const name = `${provider} ${model}`;
    sums[`prompt ${name}`] = prompt;
    sums[`completion ${name}`] = completion;
    highest[name] = updatedAt;
  }
  return { sums, highest };
}
