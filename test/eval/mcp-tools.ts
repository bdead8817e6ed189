// Measures whether agents choose the right MCP tool from its description. `--out FOLDER` writes tools.txt and
// tasks.txt for a reader who knows nothing else and who answers with a JSON array of {"tool", "arguments"},
// one per task; `--answers FILE` compares such an array with test/fixtures/mcp-tasks.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Catalogue } from "../../src/transport/mcp/server.ts";
import { type Call, isRight, TASKS } from "../support/mcp-tasks.ts";

const { values } = parseArgs({ options: { out: { type: "string" }, answers: { type: "string" } } });

function write(folder: string): void {
  const { instructions, tools } = new Catalogue({ version: "0", root: "ctx://" });
  const told = tools.map(
    ({ name, description, inputSchema }) =>
      `## ${name}\n${description}\nArguments, as JSON Schema: ${JSON.stringify(inputSchema)}\n`,
  );
  writeFileSync(join(folder, "tools.txt"), [`${instructions}\n`, ...told].join("\n"));
  writeFileSync(join(folder, "tasks.txt"), TASKS.map(({ task }, i) => `${i + 1}. ${task}\n`).join(""));
}

function score(file: string): void {
  const answers: readonly Call[] = JSON.parse(readFileSync(file, "utf8"));
  const wrong = TASKS.flatMap((task, i) => (isRight(task, answers[i]) ? [] : [i]));
  for (const i of wrong)
    console.log(`${i + 1}. ${TASKS[i]?.task}\n   answered: ${JSON.stringify(answers[i])}`);
  console.log(`${TASKS.length - wrong.length} of ${TASKS.length} tasks: right tool and arguments`);
}

if (values.out !== undefined) write(values.out);
if (values.answers !== undefined) score(values.answers);
