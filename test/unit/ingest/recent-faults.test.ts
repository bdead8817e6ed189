import { describe, expect, it } from "vitest";
import { RecentFaults } from "../../../src/ingest/parse/process/recent-faults.ts";

describe("recent parse failures", () => {
  it("a file that failed to parse is tried again after ten minutes", () => {
    let now = 0;
    const faults = new RecentFaults(() => now);
    faults.keep("a.md", "too slow");
    now = 10 * 60_000 - 1;
    expect(faults.reasonOf("a.md")).toBe("too slow");
    now++;
    expect(faults.reasonOf("a.md")).toBeUndefined();
  });

  it("only the latest thousand parse failures are kept", () => {
    const faults = new RecentFaults(() => 0);
    for (let i = 0; i <= 1000; i++) faults.keep(`${i}.md`, "too slow");
    expect([faults.reasonOf("0.md"), faults.reasonOf("1.md")]).toEqual([undefined, "too slow"]);
  });
});
