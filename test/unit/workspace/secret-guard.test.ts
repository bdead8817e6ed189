import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { FoundSecrets } from "../../../src/workspace/found-secrets.ts";
import { SecretGuard } from "../../../src/workspace/secret-guard.ts";

const TOKEN = `gl${"pat"}-Zk3Qw8Rt5Yp2Lm9Nb4Vc`;
const KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ".repeat(4);

it("a redacted JSON value contains no secret in its field names", async () => {
  const policy = { mode: "redact", onFound: () => undefined, onUnreported: () => undefined } as const;
  const guard = new SecretGuard(policy, workspaceId(1));
  const found = new FoundSecrets("redact");
  // the quote after the key is escaped in JSON, so the value cannot be redacted in one piece
  const value = { [TOKEN]: "a", list: [{ pem: `-----BEGIN PRIVATE KEY-----\n${KEY_BODY}"` }] };
  const redacted = await guard.json(value, { field: "tool_input" }, found);
  expect(JSON.stringify(redacted)).not.toContain(TOKEN);
  expect(JSON.stringify(redacted)).not.toContain(KEY_BODY);
  expect(Object.values(redacted)[0]).toBe("a");
  expect([...found.kinds.keys()].sort()).toEqual(["gitlab-token", "private-key"]);
});
