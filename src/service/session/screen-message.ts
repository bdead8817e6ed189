import type { MessageInput, PartInput } from "../../domain/message.ts";
import type { FoundSecrets } from "../../workspace/found-secrets.ts";
import type { SecretGuard } from "../../workspace/secret-guard.ts";

/** Texts of a part, with their names in the API. */
const TEXTS = [
  ["text", "text"],
  ["abstract", "abstract"],
  ["toolOutput", "tool_output"],
] as const;

/**
 * The message to store: its texts and tool calls after the secrets policy was applied. Throws SecretRefused.
 * `at` prefixes field names; `uri`: where the message is stored.
 */
export async function screenMessage<M extends MessageInput>(
  guard: SecretGuard,
  message: M,
  { at = "", uri }: { readonly at?: string; readonly uri: string },
  found: FoundSecrets,
): Promise<M> {
  if (guard.mode === "off") return message;
  const placeOf = (field: string) => ({ field: `${at}${field}`, uri, shown: `${at}${field}` });
  // parts override content
  if (message.parts.length === 0) {
    if (message.content === undefined) return message;
    return { ...message, content: await guard.text(message.content, placeOf("content"), found) };
  }
  const parts: PartInput[] = [];
  for (const [i, part] of message.parts.entries()) {
    const screened: Partial<Record<(typeof TEXTS)[number][0], string>> = {};
    for (const [name, field] of TEXTS) {
      const text = part[name];
      if (text !== undefined) screened[name] = await guard.text(text, placeOf(`parts[${i}].${field}`), found);
    }
    const input = part.toolInput;
    parts.push({
      ...part,
      ...screened,
      ...(input && { toolInput: await guard.json(input, placeOf(`parts[${i}].tool_input`), found) }),
    });
  }
  return { ...message, parts };
}
