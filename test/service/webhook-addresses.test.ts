import { describe, expect, it } from "vitest";
import { ROOT_KEY, serve } from "../support/served.ts";

describe("webhooks of a server that allows no private addresses", () => {
  it("private and loopback addresses and plain http are refused when a webhook is created", async () => {
    const served = await serve({});
    const { result } = await served.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ada",
    });
    const key = (result as { user_key: string }).user_key;
    const code = async (url: string) =>
      (await served.rest(key, "POST webhooks", { url })).error?.code ?? "OK";
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "10.0.0.1",
      "169.254.169.254",
      "0x7f000001",
      "[::ffff:10.0.0.1]",
    ])
      expect([host, await code(`https://${host}/hook`)]).toEqual([host, "PERMISSION_DENIED"]);
    expect(await code("http://example.com/hook")).toBe("INVALID_ARGUMENT");
    await served.close();
  });
});
