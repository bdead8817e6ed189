import { NUMBERS } from "../../storage/record-codec.ts";
import { KINDS } from "../keys.ts";
import { CHECKPOINTS, FIRST_ANSWERS, JOURNAL_RECORDS, STORED_BYTES } from "../records.ts";
import type { Audit } from "./findings.ts";

/** Sorts after all keys of a kind, which continue with a slash. */
const AFTER_SLASH = "0";

/** Verifies that all records are of known kinds, and that those that no other part reads are readable. */
export async function verifyRecords(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  await verifyKinds(audit);
  for await (const [key, value] of audit.records(keys.allFirstAnswers())) FIRST_ANSWERS.decode(value, key);
  for await (const [key, value] of audit.records(keys.allJournal())) JOURNAL_RECORDS.decode(value, key);
  for await (const [key, value] of audit.records(keys.counter("")))
    if (key === keys.counter("stored")) STORED_BYTES.decode(value, key);
    else NUMBERS.decode(value, key);
  CHECKPOINTS.read(kv, keys.checkpoint());
}

async function verifyKinds(audit: Audit): Promise<void> {
  const { keys, kv } = audit.workspace;
  const lt = `${keys.prefix}\u007f`;
  let gte = keys.prefix;
  for (let kinds = 0; kinds <= 2 * KINDS.length; kinds++) {
    const [key] = await kv.keys({ gte, lt, limit: 1 });
    if (key === undefined) return;
    const [kind = ""] = key.slice(keys.prefix.length).split("/");
    if (kind.length !== 1 || !KINDS.includes(kind))
      audit.report("record", `record ${key}`, "no kind of record has such a key");
    gte = `${keys.prefix}${kind}${key.length > keys.prefix.length + kind.length ? AFTER_SLASH : "/"}`;
  }
}
