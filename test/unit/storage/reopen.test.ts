import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LevelFile } from "../../../src/storage/level/level-file.ts";
import { silentLog } from "../../support/silent-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("a store that failed to reopen after a failed write keeps trying until it opens", async () => {
  const folder = await temporaryFolder();
  const file = await LevelFile.open(folder.path, silentLog);
  const [current, away] = [join(folder.path, "CURRENT"), join(folder.path, "away")];
  const put = (key: string) =>
    file.write([{ key, value: Buffer.from(key) }], true).finally(() => file.reveal());
  await put("a");
  await expect(
    file.write([{ key: undefined as unknown as string, value: Buffer.from("x") }], true),
  ).rejects.toThrow();
  await rename(current, away);
  await expect(put("b")).rejects.toThrow();
  expect(() => file.get("a")).toThrow();
  await rename(away, current);
  await vi.waitFor(() => expect(Buffer.from(file.get("a")!).toString()).toBe("a"), { timeout: 20_000 });
  expect(file.get("b")).toBeUndefined();
  await put("c");
  expect(file.get("c")).toBeDefined();
  await file.close();
  await folder.remove();
});
