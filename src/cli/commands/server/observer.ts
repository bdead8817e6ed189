import { Argument } from "commander";
import type { ComponentStatus } from "../../../../clients/typescript/src/gen/ctxdb/v1/observer_pb.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { tableText } from "../../terminal/columns.ts";

const PARTS = ["queue", "vectordb", "vlm"] as const;

export const define: Define = (command, shell) => {
  command
    .description("Show the state of the job queues and the vector index, and the token usage of models.")
    .addArgument(new Argument("[part]", "show only this part").choices(PARTS))
    .action(async (part: (typeof PARTS)[number] | undefined) => {
      const { observer } = await shell.client();
      const { signal } = shell;
      if (part !== undefined) {
        const status = await observer[part]({ signal });
        return shell.show(status, () => partText(status, shell));
      }
      const system = await observer.system({ signal });
      const { queue, vectordb, vlm } = system.components ?? {};
      await shell.show(system, () => {
        const errors = system.errors.map((error) => `${shell.paint.bad(error)}\n`).join("");
        return (
          [queue, vectordb, vlm].flatMap((status) => (status ? [partText(status, shell)] : [])).join("\n") +
          errors
        );
      });
    });
};

/**
 * Formats a component's table: rows are separated by newlines, cells by tabs; the first row holds the titles.
 */
function partText({ name, isHealthy, status }: ComponentStatus, { paint }: Shell): string {
  const [titles = [], ...rows] = status.split("\n").map((line) => line.split("\t"));
  const columns = titles.map((title, at) => ({
    title,
    ...(rows.every((row) => /^[\d,.]*$/.test(row[at] ?? "")) && { align: "right" as const }),
  }));
  return `${paint.strong(name)} ${isHealthy ? paint.good("works") : paint.bad("does not work")}\n${tableText(columns, rows, { paint })}`;
}
