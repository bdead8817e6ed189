import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { sayFatal } from "./base/log.ts";
import { readConfig } from "./config/env.ts";
import { serve } from "./server/serve.ts";

/** The command line next to this file, as called from the working directory. */
function commandLine(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const path = relative(process.cwd(), fileURLToPath(new URL(`./cli/main.${extension}`, import.meta.url)));
  return `${extension === "ts" ? "npx tsx" : "node"} ${path}`;
}

async function main(): Promise<void> {
  await serve(readConfig(), commandLine());
}

main().catch((error: unknown) => {
  sayFatal(error);
  process.exit(1);
});
