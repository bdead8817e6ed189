import { CURSOR_KEY_BYTES } from "../domain/cursor.ts";
import type { ServerFacts } from "../storage/server-facts.ts";
import { settledSecret } from "../storage/server-secret.ts";

export const cursorKey = (facts: ServerFacts): Promise<Uint8Array> =>
  settledSecret(facts, "cursor", CURSOR_KEY_BYTES);
