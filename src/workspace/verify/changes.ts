import { lastTwoNumbers } from "../../storage/key-numbers.ts";
import { CHANGE_RECORDS } from "../changes/records.ts";
import type { Audit } from "./findings.ts";

/** Verifies that the log of changes contains each number once, and that positions match the bytes written. */
export async function verifyChanges(audit: Audit): Promise<void> {
  const { keys } = audit.workspace;
  let next = 0;
  let written = 0;
  for await (const [key, value] of audit.records(keys.allChanges())) {
    const [number, position] = lastTwoNumbers(key);
    const { changes } = CHANGE_RECORDS.decode(value, key);
    if (number < next)
      audit.report("change", `change ${number}`, `it is numbered ${number} and not from ${next} on`);
    if (position < written)
      audit.report("change", `change ${number}`, `its position is ${position} and not from ${written} on`);
    for (const change of changes)
      if (change && "node" in change) audit.checkNumber("node", change.node, `change ${number}`);
    next = number + changes.length;
    written = position + key.length + value.byteLength;
  }
}
